// The two blocks of the elastic collision, in metres, for meshes of other
// sizes than the one beside this file (which "mesh" beside it wrote):
//   gmsh -2 -setnumber edge 0.00025 -o fine.msh elastic-collision.geo
//   fdem run fine.msh --deck elastic-collision.toml
DefineConstant[ edge = 0.5e-3 ];

target = 12e-3 * Sqrt(3)/2;      // width: columns of triangles of 1 mm edge
striker = 9e-3 * Sqrt(3)/2;

Point(1) = {0, 0, 0, edge};           Point(2) = {target, 0, 0, edge};
Point(3) = {target, 66e-3, 0, edge};  Point(4) = {0, 66e-3, 0, edge};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};

Point(5) = {-striker, 60e-3, 0, edge}; Point(6) = {0, 60e-3, 0, edge};
Point(7) = {0, 69e-3, 0, edge};        Point(8) = {-striker, 69e-3, 0, edge};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 8}; Line(8) = {8, 5};
Curve Loop(2) = {5, 6, 7, 8}; Plane Surface(2) = {2};

Physical Surface("striker") = {2};
Physical Surface("target") = {1};
Physical Curve("clamp") = {1};
