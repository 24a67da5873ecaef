/** The option that an arrow key leads to, around the ends; undefined for other keys. */
export const nextOption = (key: string, active: number | undefined, count: number): number | undefined => {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active === undefined || active + 1 >= count ? 0 : active + 1
  if (key === 'ArrowUp') return active === undefined || active === 0 ? count - 1 : Math.min(active, count) - 1
  return undefined
}
