import { menuItems } from '@stoa/cms-model/menus.ts'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { MenuItemsEditor } from '../../menus/menu-items-editor.tsx'
import { RoleLock, SaveSource, SourceProblem, useChange } from './part-panel.tsx'
import { useSite } from './site-context.ts'
import { type MenuPart, menuKey } from './sources.ts'
import { typedMember } from './typed-member.ts'

/** The links of a menu, one below the other. */
export const MenuPartEditor = ({ part: { label, state } }: { part: MenuPart }) => {
  const { work, saving } = useSite()
  const source = menuKey(state.name)
  const change = useChange(source, label)
  const read = menuItems.safeParse(work.drafts.sources[source]?.values.items)
  const items = read.success ? read.data : state.items
  if (!state.flat)
    return (
      <>
        <p className="text-muted text-sm">
          The menu “{state.label}” has links below other links. Edit it on the menus screen.
        </p>
        <LinkButton to={`/menus?menu=${encodeURIComponent(state.name)}`} className="self-start">
          Edit menu
        </LinkButton>
      </>
    )
  return (
    <>
      {state.canEdit ? null : <RoleLock what="edit menus" who="Editors, admins and owners" />}
      {state.exists ? null : (
        <p className="text-muted text-sm">
          These are the website's own links. Change and save them to make them yours.
        </p>
      )}
      <SourceProblem source={source} />
      {/* Beside the page there is room for one input in a row */}
      <div className="-mx-4 [&_.grid-cols-2]:grid-cols-1">
        <MenuItemsEditor
          flat
          items={items}
          onChange={(next) => change({ items: next }, typedMember(items, next))}
          problems={saving.problems[source]?.fields ?? []}
          disabled={!state.canEdit || saving.isSaving}
        />
      </div>
      {state.canEdit ? <SaveSource source={source} /> : null}
    </>
  )
}
