import type { MenuItem } from '@stoa/cms-model/menus.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'

/** The one text of one link that differs, such as `a1.label`; null when links came, went or moved, or led elsewhere. */
export const typedMember = (before: readonly MenuItem[], after: readonly MenuItem[]): string | null => {
  if (before.map(({ id }) => id).join() !== after.map(({ id }) => id).join()) return null
  const changed = after.flatMap((item, index) =>
    Object.keys(changedMembers(item, before[index] ?? item)).map((member) => `${item.id}.${member}`),
  )
  const [member = null] = changed
  return changed.length === 1 && member !== null && /\.(label|url)$/.test(member) ? member : null
}
