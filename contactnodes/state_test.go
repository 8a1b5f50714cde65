package contactnodes

import (
	"reflect"
	"testing"

	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"

	"pgregory.net/rapid"
)

// The memory of contact nodes is restored from its columns, every value of it, with any form of
// friction and of overlap. Columns of another length are refused.
func TestColumns(t *testing.T) {
	value := rapid.Float64Range(0.1, 1)
	rapid.Check(t, func(t *rapid.T) {
		c := &Contact{Config: Config{Name: "blocks", Law: contact.Linear{K: 1}, Nodes: 5}, elements: []int32{0, 1}, firstSlot: []int32{noSlot, noSlot}}
		sticks := rapid.Bool().Draw(t, "sticks")
		if sticks {
			c.Friction.Ratio = 1
		}
		c.Overlap.Mode = OverlapMode(rapid.IntRange(int(OverlapRefuse), int(OverlapSubtract)).Draw(t, "overlap"))
		c.Touched = rapid.SliceOfNDistinct(rapid.Int32Range(0, 9), 1, 10, rapid.ID).Draw(t, "touched")
		for range c.Touched {
			var n NodeState
			v := reflect.ValueOf(&n).Elem()
			for i := range v.NumField() {
				v.Field(i).SetFloat(value.Draw(t, v.Type().Field(i).Name))
			}
			if c.Overlap.Mode == OverlapRefuse {
				n.Offset = 0
			}
			c.Kept = append(c.Kept, n)
			if sticks {
				c.Sticks = append(c.Sticks, coulomb.Stick{Friction: n.Traction, Spring: value.Draw(t, "spring"), Stiffness: value.Draw(t, "stiffness"), Sliding: rapid.Bool().Draw(t, "slides")})
			}
		}
		restored := func(change func(k *Columns)) (*Contact, error) {
			k := *c.Columns()
			change(&k)
			r := &Contact{Config: c.Config, elements: c.elements, firstSlot: []int32{noSlot, noSlot}}
			r.Touched, r.columns = c.Touched, k
			return r, r.Restore()
		}
		r, err := restored(func(*Columns) {})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Kept, c.Kept) || len(r.Sticks)+len(c.Sticks) > 0 && !reflect.DeepEqual(r.Sticks, c.Sticks) {
			t.Fatalf("%+v with %+v has become %+v with %+v", c.Kept, c.Sticks, r.Kept, r.Sticks)
		}
		columns := reflect.ValueOf(c.Columns()).Elem()
		for i := range columns.NumField() {
			_, err := restored(func(k *Columns) {
				column := reflect.ValueOf(k).Elem().Field(i)
				column.Set(reflect.Append(column, reflect.Zero(column.Type().Elem())))
			})
			if err == nil {
				t.Fatalf("one %s too many has passed", columns.Type().Field(i).Name)
			}
		}
	})
	if size := reflect.TypeFor[NodeState]().Size(); 64%size != 0 {
		t.Errorf("a contact node's state of %d bytes lies across lines of the cache", size)
	}
}
