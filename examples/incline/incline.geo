// The block on the incline, in metres: 40 by 20 mm, turned by 30 degrees, its
// lower left corner in the origin.
//   gmsh -2 -o incline.msh incline.geo
DefineConstant[ edge = 2e-3 ];

Point(1) = {0, 0, 0, edge};        Point(2) = {40e-3, 0, 0, edge};
Point(3) = {40e-3, 20e-3, 0, edge}; Point(4) = {0, 20e-3, 0, edge};
Rotate {{0, 0, 1}, {0, 0, 0}, -Pi/6} { Point{1, 2, 3, 4}; }
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};

Physical Surface("block") = {1};
