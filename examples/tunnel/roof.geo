// A tunnel of 1.5 m radius in ground 12 m wide and 10 m high, with two joints that cut a
// block out of its roof.
SetFactory("OpenCASCADE");
Rectangle(1) = {-6, -5, 0, 12, 10};
Disk(2) = {0, 0, 0, 1.5, 1.5};
Point(100) = {-1.2, 0.9, 0};
Point(101) = {0.1, 2.8, 0};
Point(102) = {1.2, 0.9, 0};
Line(100) = {100, 101};
Line(101) = {101, 102};
f() = BooleanFragments{ Surface{1, 2}; Delete; }{ Line{100, 101}; Delete; };
eps = 1e-6;
Physical Surface("tunnel") = {2};
rock() = Surface{:}; rock() -= {2};
Physical Surface("rock") = rock();
Physical Curve("joints") = {100, 101};
Physical Curve("bottom") = Curve In BoundingBox{-6-eps, -5-eps, -1, 6+eps, -5+eps, 1};
Physical Curve("top") = Curve In BoundingBox{-6-eps, 5-eps, -1, 6+eps, 5+eps, 1};
Physical Curve("sides") = {Curve In BoundingBox{-6-eps, -5-eps, -1, -6+eps, 5+eps, 1}, Curve In BoundingBox{6-eps, -5-eps, -1, 6+eps, 5+eps, 1}};
Mesh.MeshSizeMax = 0.6; Mesh.MeshSizeMin = 0.15;
Field[1] = MathEval; Field[1].F = "0.15 + 0.12*Max(0, Sqrt(x*x+y*y)-1.8)";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
