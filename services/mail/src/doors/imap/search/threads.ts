import type { ThreadedRow } from '../../../store/store.ts'
import { compareTexts } from './collation.ts'
import { linkReferences } from './thread-links.ts'
import { newNode, type ThreadNode } from './thread-node.ts'

/** RFC 5256 §3, ORDEREDSUBJECT: the same base subject makes a thread, and its oldest message begins it. */
export const threadBySubject = (rows: readonly ThreadedRow[]): ThreadNode[] => {
  const bySubject = new Map<string, ThreadNode[]>()
  for (const node of rows.map(newNode)) {
    const same = bySubject.get(node.subject)
    if (same) same.push(node)
    else bySubject.set(node.subject, [node])
  }
  const roots = [...bySubject.values()].flatMap((nodes) => {
    const [first, ...rest] = nodes.sort(byTime)
    return first ? [{ ...first, children: rest }] : []
  })
  return roots.sort((one, other) => byTime(one, other) || compareTexts(one.subject, other.subject))
}

/** RFC 5256 §3, REFERENCES. */
export const threadByReferences = (rows: readonly ThreadedRow[]): ThreadNode[] => {
  const roots = linkReferences(rows)
  for (const root of roots) if (root.uid === 0) settleDummy(root)
  const gathered = gatherSubjects(roots.sort(byTime))
  return sortAll(gathered)
}

/** Equal dates: as the folder has them. What is not there counts as its first child does. */
const byTime = (one: ThreadNode, other: ThreadNode): number => one.time - other.time || placeOf(one) - placeOf(other)
const placeOf = (node: ThreadNode): number => node.uid || (node.children[0]?.uid ?? 0)

/** A message that is not there has the date and subject of the first of its children (RFC 5256 §3, steps 4 and 5). */
const settleDummy = (dummy: ThreadNode): void => {
  dummy.children.sort(byTime)
  const [first] = dummy.children
  dummy.time = first?.time ?? 0
  dummy.subject = first?.subject ?? ''
  dummy.isReply = first?.isReply ?? false
}

/** RFC 5256 §3, step 5: threads of one subject become one. */
const gatherSubjects = (roots: readonly ThreadNode[]): ThreadNode[] => {
  const table = new Map<string, ThreadNode>()
  for (const node of roots) {
    if (node.subject === '') continue
    const known = table.get(node.subject)
    const isBetter = known && known.uid !== 0 && (node.uid === 0 || (known.isReply && !node.isReply))
    if (!known || isBetter) table.set(node.subject, node)
  }
  const kept = new Set(roots)
  for (const node of roots) {
    const known = table.get(node.subject)
    if (!known || known === node) continue
    kept.delete(node)
    if (known.uid === 0) known.children = known.children.concat(node.uid === 0 ? node.children : [node])
    else if (node.isReply && !known.isReply) known.children.push(node)
    else {
      kept.delete(known)
      const dummy: ThreadNode = { ...newNode(null), subject: node.subject, children: [known, node] }
      table.set(node.subject, dummy)
      kept.add(dummy)
    }
  }
  return [...kept]
}

/** RFC 5256 §3, step 6. Threads may be as deep as there are messages. */
const sortAll = (roots: readonly ThreadNode[]): ThreadNode[] => {
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.uid === 0) settleDummy(node)
    else node.children.sort(byTime)
    for (const child of node.children) waiting.push(child)
  }
  return [...roots].sort(byTime)
}

/** `(1 (2 3)(4))((5)(6))` (RFC 5256 §4): a single answer follows, several have brackets of their own. */
export const formatThreads = (roots: readonly ThreadNode[], numberOf: (uid: number) => number): string => {
  const pieces: string[] = []
  const waiting: (ThreadNode | ')')[] = []
  const open = (nodes: readonly ThreadNode[]): void => {
    for (const node of nodes.toReversed()) waiting.push(')', node)
  }
  open(roots)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next === ')') {
      pieces.push(')')
      continue
    }
    pieces.push('(')
    let node = next
    while (node.uid !== 0) {
      pieces.push(String(numberOf(node.uid)))
      const [only] = node.children
      if (!only) break
      pieces.push(' ')
      if (node.children.length > 1) break
      node = only
    }
    if (node.children.length > 1 || node.uid === 0) open(node.children)
  }
  return pieces.join('')
}
