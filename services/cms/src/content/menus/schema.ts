import { listQuery } from '@stoa/cms-model/lists.ts'
import { type Menu as MenuShape, menuName } from '@stoa/cms-model/menus.ts'
import { z } from 'zod'
import type { Menu } from './menus.ts'

export const nameParams = z.object({ name: menuName })
export const menusQuery = listQuery({})

export const menuJson = ({ name, label, items, version, createdAt, updatedAt }: Menu): MenuShape => ({
  name,
  label,
  items,
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
