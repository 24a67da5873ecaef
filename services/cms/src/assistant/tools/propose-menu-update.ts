import type { Menu } from '@stoa/cms-model/menus.ts'
import { z } from 'zod'
import { proposedItems, toItems } from './proposed-menus.ts'
import { plainItems, readMenu } from './proposed-records.ts'
import { baseVersion, changeOf, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/menus/:name'

export const proposeMenuUpdate = tool({
  name: 'propose_menu_update',
  kind: 'propose',
  permission: 'menus.manage',
  description: 'Replace the items of a menu.',
  input: z.strictObject({ menu: z.string(), items: proposedItems, reason }),
  label: ({ menu }) => `Preparing the menu ${menu}`,
  run: async (reach, { menu: name, items, reason: why }) => {
    const before = await readMenu(reach, name)
    const body = { items: toItems(items, before.items) }
    const params = { name }
    const after = await rehearse<Menu>(reach, { method: 'PUT', path: ROUTE, params, body })
    const version = baseVersion(reach, 'menu', name, before.version)
    return proposed({
      title: `Update the menu “${before.label}”`,
      reason: why,
      risk: 'live',
      verb: 'Apply',
      permission: 'menus.manage',
      target: { kind: 'menu', id: name, label: before.label, screen: 'menus' },
      changes: realChanges([
        changeOf({
          path: 'items',
          label: 'Items',
          before: plainItems(before.items),
          after: plainItems(after.items),
          view: 'list',
        }),
      ]),
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body,
          version,
          record: { kind: 'menu', id: name },
          isBehind: version !== before.version,
        },
      ],
      base: { kind: 'menu', id: name, version },
      anchors: null,
    })
  },
})
