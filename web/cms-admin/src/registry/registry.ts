import type { EntryPanel } from './entry-panels.ts'
import type { FieldAction } from './field-actions.ts'
import type { NavigationItem } from './navigation.ts'
import type { Registered } from './registered.ts'
import type { SidePanel } from './side-panels.ts'

/** The parts that make up the shell. `index.tsx` lists them. */
export type Registry = {
  navigation: readonly Registered<NavigationItem>[]
  sidePanels: readonly Registered<SidePanel>[]
}

/** The parts that make up the entry editor. `editor.tsx` lists them; the code is loaded with the editor. */
export type EditorRegistry = {
  entryPanels: readonly Registered<EntryPanel>[]
  fieldActions: readonly Registered<FieldAction>[]
}
