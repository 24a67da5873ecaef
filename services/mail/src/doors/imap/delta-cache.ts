import { type Delta, type DeltaEntry, MAX_DELTA } from '../../store/store.ts'

/** A folder as somebody sees it: what was read may differ between those who share it. */
export type ViewedFolder = { readonly addressId: string; readonly viewerId: string | null; readonly folderId: string }
export type Since = { readonly since: number; readonly expungedSince: number | null }
type ReadDelta = (place: ViewedFolder, since: Since) => Promise<Delta | null>

/**
 * What happened lately in folders that several sessions of this process have open: each of them gets every change,
 * and it is read once for all.
 */
export type DeltaCache = {
  /** For a session that opens a folder; what it gives is called when it leaves. */
  join(place: ViewedFolder): () => void
  /** The same as `readDelta`, with everything up to the modseq `upTo`. */
  read(place: ViewedFolder, since: Since, upTo: number): Promise<Delta | null>
}

/** Entries that are kept of a folder; a session further behind queries the database itself. */
const MAX_KEPT = 500

type CachedFolder = {
  sessions: number
  /** All that happened after `from` up to `modseq`; null before the first query. */
  known: Known | null
  reading: Promise<void> | null
}

type Known = {
  from: number
  modseq: number
  readonly entries: Map<number, DeltaEntry>
  /** The modseq by which each UID was certainly expunged. */
  readonly expunged: Map<number, number>
}

export const createDeltaCache = (readDelta: ReadDelta): DeltaCache => {
  const folders = new Map<string, CachedFolder>()

  const extend = async (place: ViewedFolder, cached: CachedFolder, known: Known): Promise<void> => {
    const delta = await readDelta(place, { since: known.modseq, expungedSince: known.modseq })
    cached.known = goesOn(known, delta) ? extended(known, delta) : null
  }
  /** Reads on until `upTo` is known; a read that began before that happened may not have it yet. */
  const catchUp = async (place: ViewedFolder, cached: CachedFolder, upTo: number): Promise<void> => {
    while (cached.known && cached.known.modseq < upTo) {
      cached.reading ??= extend(place, cached, cached.known).finally(() => {
        cached.reading = null
      })
      await cached.reading
    }
  }

  return {
    join(place) {
      const key = keyOf(place)
      const cached = folders.get(key) ?? { sessions: 0, known: null, reading: null }
      folders.set(key, cached)
      cached.sessions += 1
      return () => {
        cached.sessions -= 1
        if (cached.sessions === 0) folders.delete(key)
      }
    },
    async read(place, since, upTo) {
      const cached = folders.get(keyOf(place))
      if (!cached || cached.sessions < 2) return readDelta(place, since)
      if (reaches(cached.known, since)) await catchUp(place, cached, upTo)
      if (cached.known && reaches(cached.known, since)) return deltaOf(cached.known, since)
      const delta = await readDelta(place, since)
      // From here on the others need not ask.
      if (delta?.isThere) cached.known ??= knownFrom(delta.modseq)
      return delta
    },
  }
}

const keyOf = ({ addressId, viewerId, folderId }: ViewedFolder): string => `${addressId} ${folderId} ${viewerId}`

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
