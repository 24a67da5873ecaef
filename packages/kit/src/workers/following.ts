import type { Followed } from './channel.ts'
import { type Link, link, notForLong } from './link.ts'

/** What workers of a machine follow, such as the mailboxes that their clients have open. */
export type Following = {
  /** Until the function that it gives is called. Comes back when the other workers know. */
  follow(key: string): Promise<() => void>
  /** Whether another worker may follow it. */
  isFollowedElsewhere(key: string): boolean
}

/** Without other workers nothing is followed elsewhere. */
export const openFollowing = (): Following => (link ? sharedFollowing(link) : ALONE)

const ALONE: Following = { follow: async () => () => undefined, isFollowedElsewhere: () => false }

const sharedFollowing = (link: Link): Following => {
  const own = new Map<string, { followers: number; known: Promise<void> }>()
  const elsewhere = new Set<string>()
  // Until it is known what others follow, everything may be followed.
  let isKnown = false
  const note = (keys: readonly string[], isFollowed: boolean): void => {
    for (const key of keys)
      if (isFollowed) elsewhere.add(key)
      else elsewhere.delete(key)
  }
  link.answer('followed', (changed) => {
    if (changed) note(changed.keys, changed.isFollowed)
    return null
  })
  void link.ask('followed', null).then((keys) => {
    note(keys ?? [], true)
    isKnown = true
  })
  const leave = (key: string): void => {
    const kept = own.get(key)
    if (!kept) return
    kept.followers -= 1
    if (kept.followers > 0) return
    own.delete(key)
    void link.ask('follow', { key, isFollowed: false })
  }
  return {
    async follow(key) {
      const kept = own.get(key) ?? { followers: 0, known: notForLong(link.ask('follow', { key, isFollowed: true })) }
      own.set(key, kept)
      kept.followers += 1
      await kept.known
      let hasLeft = false
      return () => {
        if (!hasLeft) leave(key)
        hasLeft = true
      }
    },
    isFollowedElsewhere: (key) => !isKnown || elsewhere.has(key),
  }
}

/** Tracks in the primary which worker follows which key; `announce` tells a worker about changes. */
export const createFollowers = (announce: (worker: number, changed: Followed) => Promise<unknown>) => {
  const followers = new Map<string, Set<number>>()
  /** Workers that have joined: one that is still starting cannot answer yet, and gets the whole list when it joins. */
  const joined = new Set<number>()
  const set = (worker: number, key: string, isFollowed: boolean): void => {
    const all = followers.get(key) ?? new Set()
    if (isFollowed) followers.set(key, all.add(worker))
    else all.delete(worker)
    if (all.size === 0) followers.delete(key)
  }
  const isFollowedBeside = (worker: number, key: string): boolean =>
    [...(followers.get(key) ?? [])].some((follower) => follower !== worker)
  const announceBeside = async (changed: number, keys: readonly string[]): Promise<void> => {
    const others = [...joined].filter((worker) => worker !== changed)
    await Promise.all(
      others.flatMap((worker) =>
        [true, false].map(async (isFollowed) => {
          const own = keys.filter((key) => isFollowedBeside(worker, key) === isFollowed)
          if (own.length > 0) await announce(worker, { keys: own, isFollowed })
        }),
      ),
    )
  }
  return {
    /** Returns the keys that other workers follow. */
    join(worker: number): string[] {
      joined.add(worker)
      return [...followers.keys()].filter((key) => isFollowedBeside(worker, key))
    },
    /** Comes back when all of the others know it. */
    async follow(worker: number, { key, isFollowed }: { key: string; isFollowed: boolean }) {
      set(worker, key, isFollowed)
      await announceBeside(worker, [key])
      return null
    },
    /** Removes a worker that has ended. */
    async forget(worker: number): Promise<void> {
      joined.delete(worker)
      const keys = [...followers].filter(([, all]) => all.has(worker)).map(([key]) => key)
      for (const key of keys) set(worker, key, false)
      await announceBeside(worker, keys)
    },
  }
}
