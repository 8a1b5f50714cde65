// Package contacts: Contact of edges and of volumes: which pairs, with what law, what they did.
package contacts
