/** Answers by their address, with the tags that say whether they still hold. Those used longest ago go first. */
export type Memory = {
  get(address: string): Held | undefined
  keep(address: string, held: Held): void
  clear(): void
}

export type Held = { etag: string; text: string }

export const createMemory = (maxCharacters: number): Memory => {
  const entries = new Map<string, Held>()
  let size = 0
  const weight = (address: string, { text }: Held) => address.length + text.length
  const drop = (address: string, held: Held) => {
    entries.delete(address)
    size -= weight(address, held)
  }
  return {
    get(address) {
      const held = entries.get(address)
      if (!held) return undefined
      entries.delete(address)
      entries.set(address, held)
      return held
    },
    keep(address, held) {
      const known = entries.get(address)
      if (known) drop(address, known)
      if (weight(address, held) > maxCharacters) return
      entries.set(address, held)
      size += weight(address, held)
      for (const [oldest, one] of entries) {
        if (size <= maxCharacters) return
        drop(oldest, one)
      }
    },
    clear() {
      entries.clear()
      size = 0
    },
  }
}
