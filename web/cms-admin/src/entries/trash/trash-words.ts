const DAY_MS = 86_400_000

/** Whole days until the trash forgets it; null when it is kept until someone empties the trash. */
export const daysLeft = (deletedAt: string | null, trashDays: number | null, now: Date): number | null => {
  if (deletedAt === null || trashDays === null) return null
  const end = new Date(deletedAt).getTime() + trashDays * DAY_MS
  return Math.max(0, Math.ceil((end - now.getTime()) / DAY_MS))
}
