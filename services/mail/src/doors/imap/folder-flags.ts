import type { FlagSet } from '../../store/store.ts'

/** Different sets of flags, and their bytes: who makes up more keywords than that is read from the database. */
const MAX_SETS = 4_096
const MAX_SET_BYTES = 2 ** 20
const SET_BYTES = 200

/** Flags and modseqs of the messages of a folder, by their places in it from 0. Some bytes each, however many there are. */
export class FolderFlags {
  readonly sets: FlagSet[] = []
  readonly #byName = new Map<string, number>()
  #which = new Uint16Array(16)
  #modseqs = new Float64Array(16)
  #length = 0
  #setBytes = 0

  get length(): number {
    return this.#length
  }

  get bytes(): number {
    return this.#which.byteLength + this.#modseqs.byteLength + this.#setBytes
  }

  /** The place of its flags in `sets`. */
  setAt(place: number): number {
    return this.#which[place] ?? 0
  }

  modseqAt(place: number): number {
    return this.#modseqs[place] ?? 0
  }

  /** The place of flags in `sets`, where they are put if they are new. Null: there are too many. */
  placeOf(flags: FlagSet): number | null {
    const name = `${flags.deleted ? '1' : '0'} ${flags.keywords.join(' ')}`
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const bytes = this.#setBytes + SET_BYTES + 2 * name.length
    if (this.sets.length === MAX_SETS || bytes > MAX_SET_BYTES) return null
    this.#setBytes = bytes
    this.#byName.set(name, this.sets.length)
    return this.sets.push({ keywords: flags.keywords, deleted: flags.deleted }) - 1
  }

  /** At the end, or in place of what is there. False: there are too many sets. */
  put(place: number, modseq: number, flags: FlagSet): boolean {
    const set = this.placeOf(flags)
    if (set === null) return false
    this.putSet(place, modseq, set)
    return true
  }

  /** Like `put`, with the index of the flag set in `sets`. */
  putSet(place: number, modseq: number, set: number): void {
    if (place === this.#which.length) this.#grow()
    this.#which[place] = set
    this.#modseqs[place] = modseq
    this.#length = Math.max(this.#length, place + 1)
  }

  /** Leaves out some places, which are sorted. */
  remove(places: readonly number[]): void {
    const [first] = places
    if (first === undefined) return
    let to = first
    let next = 0
    for (let from = first; from < this.#length; from += 1) {
      if (from === places[next]) {
        next += 1
        continue
      }
      this.#which[to] = this.#which[from] ?? 0
      this.#modseqs[to] = this.#modseqs[from] ?? 0
      to += 1
    }
    this.#length = to
  }

  #grow(): void {
    const size = this.#which.length * 2
    const [which, modseqs] = [new Uint16Array(size), new Float64Array(size)]
    which.set(this.#which)
    modseqs.set(this.#modseqs)
    this.#which = which
    this.#modseqs = modseqs
  }
}
