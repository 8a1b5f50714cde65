// Package bodies: What has mass: triangles, beams, rigid bodies, their outlines and distances.
package bodies
