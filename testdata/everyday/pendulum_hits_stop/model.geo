h=1e-2;
Point(1)={0,0,0,h};
Point(2)={0,-0.01,0,h}; Point(3)={0.3,-0.01,0,h}; Point(4)={0.3,0.01,0,h}; Point(5)={0,0.01,0,h};
Line(1)={1,2}; Line(2)={2,3}; Line(3)={3,4}; Line(4)={4,5}; Line(5)={5,1};
Curve Loop(1)={1:5};
Plane Surface(1)={1};
Physical Surface("bar")={1};
Physical Point("axle")={1};
