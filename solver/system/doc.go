// Package system: What every kind of system shares: its interface, its view of nodes and analysis, bounds, ledger, clock and state.
package system
