import type { ReactNode } from 'react'
import type { Target } from './target.ts'

/** The props of every menu of actions. */
export type ActionMenuProps = {
  target: Target
  /** One button. */
  trigger: ReactNode
  /** For a menu that a key opens, too. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** After the action was begun. */
  onDone?: (() => void) | undefined
}
