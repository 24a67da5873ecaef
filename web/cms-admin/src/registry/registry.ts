import type { EntryPanel } from './entry-panels.ts'
import type { FieldAction } from './field-actions.ts'
import type { NavigationItem } from './navigation.ts'
import type { Registered } from './registered.ts'
import type { SidePanel } from './side-panels.ts'

/** What the shell is put together from. `index.tsx` lists it. */
export type Registry = {
  navigation: readonly Registered<NavigationItem>[]
  sidePanels: readonly Registered<SidePanel>[]
}

/** What the editor of entries is put together from. `editor.tsx` lists it; its code comes with the editor. */
export type EditorRegistry = {
  entryPanels: readonly Registered<EntryPanel>[]
  fieldActions: readonly Registered<FieldAction>[]
}
