import type { ReactNode } from 'react'
import type { Item } from './arrange.ts'

/** Something at the right of every screen that stays while people go from one to the next. */
export type SidePanel = Item & {
  label: string
  icon: ReactNode
  /** Opens and closes it. */
  shortcut?: string
  Component: (props: { onClose: () => void }) => ReactNode
}
