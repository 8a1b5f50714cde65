// Two wheels of 20 mm: one with a hub of 8 mm, one about an axle in its middle.
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 0.02};
Disk(2) = {0, 0, 0, 0.008};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
Disk(3) = {0.04, 0, 0, 0.02};
Point(100) = {0.04, 0, 0};
Point{100} In Surface{3};
MeshSize{:} = 0.0015;
Mesh.MeshSizeExtendFromBoundary = 1;
Physical Surface("driver") = {1};
Physical Surface("follower") = {3};
Physical Point("axle") = {100};
hub() = CombinedBoundary{ Surface{1}; };
Physical Curve("hub") = {hub(1)};
