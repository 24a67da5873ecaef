import type { Menu } from '@stoa/cms-model/menus.ts'
import { z } from 'zod'
import { proposedItems, toItems } from './proposed-menus.ts'
import { plainItems } from './proposed-records.ts'
import { changeOf, given, proposed, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/menus'

export const proposeMenuCreate = tool({
  name: 'propose_menu_create',
  kind: 'propose',
  permission: 'menus.manage',
  description: 'Another menu.',
  input: z.strictObject({ name: z.string(), label: z.string().optional(), items: proposedItems, reason }),
  label: () => 'Preparing a menu',
  run: async (reach, { name, label, items, reason: why }) => {
    const body = given({ name, label, items: toItems(items) })
    const after = await rehearse<Menu>(reach, { method: 'POST', path: ROUTE, body })
    return proposed({
      title: `Create the menu “${after.label}”`,
      reason: why,
      risk: 'edit',
      verb: 'Create menu',
      permission: 'menus.manage',
      target: { kind: 'menu', id: null, label: after.label, screen: 'menus' },
      changes: [
        changeOf({ path: 'name', label: 'API name', after: after.name }),
        ...(label === undefined ? [] : [changeOf({ path: 'label', label: 'Name', after: after.label })]),
        changeOf({ path: 'items', label: 'Items', after: plainItems(after.items), view: 'list' }),
      ],
      requests: [{ method: 'POST', route: ROUTE, params: {}, body, version: null, record: null }],
      base: { kind: 'menu', id: null, version: null },
      anchors: null,
    })
  },
})
