import { createContext, use } from 'react'
import type { EntryPanel } from './entry-panels.ts'
import type { FieldAction } from './field-actions.ts'
import type { NavigationItem } from './navigation.ts'
import type { Registered } from './registered.ts'
import type { SidePanel } from './side-panels.ts'

/** What the admin is put together from. `index.tsx` lists it. */
export type Registry = {
  navigation: readonly Registered<NavigationItem>[]
  entryPanels: readonly Registered<EntryPanel>[]
  fieldActions: readonly Registered<FieldAction>[]
  sidePanels: readonly Registered<SidePanel>[]
}

const RegistryContext = createContext<Registry | null>(null)

export const RegistryProvider = RegistryContext.Provider

export const useRegistry = (): Registry => {
  const registry = use(RegistryContext)
  if (registry === null) throw new Error('The shell gives the registry to its screens')
  return registry
}
