import type { Menu, MenuItem } from '@stoa/cms-model/menus.ts'
import { nothing } from './inputs.ts'
import { counted, present, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listMenus = tool({
  name: 'list_menus',
  kind: 'read',
  permission: 'content.read',
  description: 'Navigation trees.',
  input: nothing,
  label: () => 'Reading menus',
  async run(reach) {
    const menus = (await readAll<Menu>(reach, '/api/menus')).map(({ name, label, version, items }) => {
      reach.wasRead('menu', name, version)
      return { name, label, version, items: items.map(shownItem) }
    })
    return result({ menus }, counted(menus.length, 'menu'))
  },
})

type ShownItem = { label: string; url?: string | undefined; entryId?: string | undefined; children: ShownItem[] }

const shownItem = ({ label, url, entryId, children }: MenuItem): ShownItem => ({
  label,
  ...present({ url, entryId }),
  children: children.map(shownItem),
})
