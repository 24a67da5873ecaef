import type { MenuItem } from '@stoa/cms-model/menus.ts'
import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { given } from './proposing.ts'

const members = { label: z.string(), url: z.string().optional(), entryId: z.string().optional() }

/** Two levels: models describe no deeper ones. */
export const proposedItems = z
  .array(z.strictObject({ ...members, children: z.array(z.strictObject(members)).optional() }))
  .describe('Each item has url or entryId, not both')
type ProposedItem = z.infer<typeof proposedItems>[number]

/** An item that leads where one did before keeps what the model does not see: its id, and its window. */
export const toItems = (items: readonly ProposedItem[], present: readonly MenuItem[] = []): Json[] => {
  const left = flat(present)
  const convert = ({ children, ...item }: ProposedItem): Json => {
    const at = left.findIndex(({ url, entryId }) => url === item.url && entryId === item.entryId)
    const [same] = at < 0 ? [] : left.splice(at, 1)
    return given({ ...item, id: same?.id, target: same?.target, children: children?.map(convert) })
  }
  return items.map(convert)
}

const flat = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...flat(item.children)])
