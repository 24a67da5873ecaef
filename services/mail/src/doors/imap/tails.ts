import { type Delta, type DeltaEntry, MAX_DELTA } from '../../store/store.ts'

/** A folder as somebody sees it: what was read may differ between those who share it. */
export type Place = { readonly addressId: string; readonly viewerId: string | null; readonly folderId: string }
export type Since = { readonly since: number; readonly expungedSince: number | null }
type ReadDelta = (place: Place, since: Since) => Promise<Delta | null>

/**
 * What happened lately in folders that several sessions of this process have open: each of them is told of every change,
 * and it is read once for all.
 */
export type Tails = {
  /** For a session that opens a folder; what it gives is called when it leaves. */
  join(place: Place): () => void
  /** The same as `readDelta`, with everything up to the modseq `upTo`. */
  read(place: Place, since: Since, upTo: number): Promise<Delta | null>
}

/** Entries that are kept of a folder; who is further behind asks for itself. */
const MAX_KEPT = 500

type Tail = {
  sessions: number
  /** All that happened after `from` up to `modseq`; null until somebody has asked. */
  known: Known | null
  reading: Promise<void> | null
}

type Known = {
  from: number
  modseq: number
  readonly entries: Map<number, DeltaEntry>
  /** By UID, the modseq at which it was gone for sure. */
  readonly expunged: Map<number, number>
}

export const createTails = (readDelta: ReadDelta): Tails => {
  const tails = new Map<string, Tail>()

  const extend = async (place: Place, tail: Tail, known: Known): Promise<void> => {
    const delta = await readDelta(place, { since: known.modseq, expungedSince: known.modseq })
    tail.known = goesOn(known, delta) ? extended(known, delta) : null
  }
  /** Reads on until `upTo` is known; a read that began before that happened may not have it yet. */
  const catchUp = async (place: Place, tail: Tail, upTo: number): Promise<void> => {
    while (tail.known && tail.known.modseq < upTo) {
      tail.reading ??= extend(place, tail, tail.known).finally(() => {
        tail.reading = null
      })
      await tail.reading
    }
  }

  return {
    join(place) {
      const key = keyOf(place)
      const tail = tails.get(key) ?? { sessions: 0, known: null, reading: null }
      tails.set(key, tail)
      tail.sessions += 1
      return () => {
        tail.sessions -= 1
        if (tail.sessions === 0) tails.delete(key)
      }
    },
    async read(place, since, upTo) {
      const tail = tails.get(keyOf(place))
      if (!tail || tail.sessions < 2) return readDelta(place, since)
      if (reaches(tail.known, since)) await catchUp(place, tail, upTo)
      if (tail.known && reaches(tail.known, since)) return deltaOf(tail.known, since)
      const delta = await readDelta(place, since)
      // From here on the others need not ask.
      if (delta?.isThere) tail.known ??= knownFrom(delta.modseq)
      return delta
    },
  }
}

const keyOf = ({ addressId, viewerId, folderId }: Place): string => `${addressId} ${folderId} ${viewerId}`

const knownFrom = (modseq: number): Known => ({ from: modseq, modseq, entries: new Map(), expunged: new Map() })

const reaches = (known: Known | null, { since, expungedSince }: Since): boolean =>
  known !== null && known.from <= Math.min(since, expungedSince ?? since)

/** Whether nothing is missing between what is known and what was read. */
const goesOn = (known: Known, delta: Delta | null): delta is Delta =>
  delta?.isThere === true && !delta.isForgotten && delta.entries.length < MAX_DELTA && delta.modseq > known.modseq

const extended = (known: Known, delta: Delta): Known => {
  known.modseq = delta.modseq
  for (const entry of delta.entries) known.entries.set(entry.uid, entry)
  for (const uid of delta.expunged) {
    known.entries.delete(uid)
    known.expunged.set(uid, delta.modseq)
  }
  return known.entries.size + known.expunged.size > MAX_KEPT ? knownFrom(known.modseq) : known
}

const deltaOf = ({ modseq, entries, expunged }: Known, { since, expungedSince }: Since): Delta => ({
  modseq,
  isThere: true,
  isForgotten: false,
  expunged:
    expungedSince === null
      ? []
      : [...expunged].flatMap(([uid, at]) => (at > expungedSince ? [uid] : [])).sort((a, b) => a - b),
  entries: [...entries.values()].filter((entry) => entry.modseq > since).sort((a, b) => a.uid - b.uid),
})
