import { z } from 'zod'
import { plainItems, readMenu } from './proposed-records.ts'
import { baseVersion, proposed, reason } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/menus/:name'

export const proposeMenuDelete = tool({
  name: 'propose_menu_delete',
  kind: 'propose',
  permission: 'menus.manage',
  description: 'Remove a menu. Not recoverable.',
  input: z.strictObject({ menu: z.string(), reason }),
  label: ({ menu }) => `Preparing to delete the menu ${menu}`,
  run: async (reach, { menu: name, reason: why }) => {
    const before = await readMenu(reach, name)
    const params = { name }
    await reach.rehearse({ method: 'DELETE', path: ROUTE, params, body: {} })
    const version = baseVersion(reach, 'menu', name, before.version)
    return proposed({
      title: `Delete the menu “${before.label}”`,
      reason: why,
      risk: 'irreversible',
      verb: 'Delete menu',
      permission: 'menus.manage',
      target: { kind: 'menu', id: name, label: before.label, screen: 'menus' },
      changes: [
        {
          path: 'items',
          label: 'Items',
          fieldType: null,
          op: 'remove',
          before: plainItems(before.items),
          after: null,
          view: 'list',
        },
      ],
      requests: [
        {
          method: 'DELETE',
          route: ROUTE,
          params,
          body: null,
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
