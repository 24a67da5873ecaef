import type { MenuItem } from '@stoa/cms-model/menus.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'

/** The one text of one link that differs, such as `a1.label`; null when links came, went or moved, or led elsewhere. */
export const typedPlace = (before: readonly MenuItem[], after: readonly MenuItem[]): string | null => {
  if (before.map(({ id }) => id).join() !== after.map(({ id }) => id).join()) return null
  const places = after.flatMap((item, index) =>
    Object.keys(changedMembers(item, before[index] ?? item)).map((member) => `${item.id}.${member}`),
  )
  const [place = null] = places
  return places.length === 1 && place !== null && /\.(label|url)$/.test(place) ? place : null
}
