import type { ThreadedRow } from '../../../store/store.ts'
import { newNode, type ThreadNode } from './thread-node.ts'

/** A message id with what is known of it. */
type Link = { row: ThreadedRow | null; parent: Link | null; children: Set<Link> }

/** Links that are followed to find cycles; messages with more references than that get flatter threads. */
const MAX_STEPS = 20_000_000

/** RFC 5256 §3, REFERENCES, steps 1 to 3: the messages that begin threads, with all below them. */
export const linkReferences = (rows: readonly ThreadedRow[]): ThreadNode[] => {
  const links = new Map<string, Link>()
  const own = new Map<ThreadedRow, Link>()
  const linkOf = (id: string): Link => {
    const known = links.get(id)
    if (known) return known
    const made: Link = { row: null, parent: null, children: new Set() }
    links.set(id, made)
    return made
  }
  const join = createJoin()
  for (const row of rows) {
    const referenced = referencesOf(row).map(linkOf)
    for (const [index, child] of referenced.entries()) {
      const parent = referenced[index - 1]
      if (parent && !child.parent) join(parent, child)
    }
    const link = ownLink(row, linkOf)
    own.set(row, link)
    // RFC 5256 §3: the message's own references replace a parent that other messages implied.
    part(link)
    const last = referenced.at(-1)
    if (last) join(last, link)
  }
  const all = new Set([...links.values(), ...own.values()])
  return rootsOf(all)
}

const referencesOf = ({ references, inReplyTo }: ThreadedRow): readonly string[] =>
  references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo]

/** Messages that share a Message-ID: only the first one gets the link of that ID. */
const ownLink = (row: ThreadedRow, linkOf: (id: string) => Link): Link => {
  const link = row.messageId === null ? null : linkOf(row.messageId)
  if (!link || link.row) return { row, parent: null, children: new Set() }
  link.row = row
  return link
}

const part = (link: Link): void => {
  link.parent?.children.delete(link)
  link.parent = null
}

/** Puts a child below its parent unless that made a ring. */
const createJoin = (): ((parent: Link, child: Link) => void) => {
  let steps = 0
  return (parent, child) => {
    if (child.children.size > 0 || parent === child)
      for (let at: Link | null = parent; at; at = at.parent) {
        steps += 1
        if (at === child || steps > MAX_STEPS) return
      }
    child.parent = parent
    parent.children.add(child)
  }
}

/** Leaves out what is not there: its children move up, except to the top, where only a single one does. */
const rootsOf = (links: ReadonlySet<Link>): ThreadNode[] => {
  const nodes = new Map<Link, ThreadNode>()
  for (const link of links) if (link.row) nodes.set(link, newNode(link.row))
  const roots: ThreadNode[] = []
  for (const link of links) {
    if (link.parent) continue
    const children = link.row ? [] : presentBelow(link)
    const [only] = children
    if (link.row) roots.push(nodeOf(nodes, link))
    else if (only && children.length === 1) roots.push(nodeOf(nodes, only))
    else if (only) roots.push({ ...newNode(null), children: children.map((child) => nodeOf(nodes, child)) })
  }
  for (const [link, node] of nodes) node.children = presentBelow(link).map((child) => nodeOf(nodes, child))
  return roots
}

/** The nearest messages below that are there. */
const presentBelow = (link: Link): Link[] => {
  const found: Link[] = []
  const waiting = [...link.children].reverse()
  for (let child = waiting.pop(); child; child = waiting.pop()) {
    if (child.row) found.push(child)
    else for (const below of [...child.children].reverse()) waiting.push(below)
  }
  return found
}

const nodeOf = (nodes: ReadonlyMap<Link, ThreadNode>, link: Link): ThreadNode => {
  const node = nodes.get(link)
  if (!node) throw new Error('a message that is there has a node')
  return node
}
