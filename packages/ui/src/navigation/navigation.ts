import type { ReactNode } from 'react'

export type NavItem = {
  to: string
  label: string
  icon: ReactNode
  count?: number | undefined
  /** A page of the service outside this app. */
  external?: boolean
}
export type NavGroup = { label?: string; items: readonly NavItem[] }

/** Whether a navigation entry is the place one is at: `/entries` is also current on `/entries/42`. */
export const isCurrent = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
