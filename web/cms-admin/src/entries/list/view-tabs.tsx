import { useStored } from '@stoa/ui/browser/stored.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { AppLink, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Bookmark, Ellipsis, Link2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MAX_VIEW_NAME, nameProblem, quickViews, readViews, type View, withoutView, withView } from './views.ts'

type ViewTabsProps = {
  /** The path of the list, without a filter. */
  path: string
  /** What the address asks for now, and what a view of it keeps: with the columns. */
  search: string
  kept: string
  /** The storage key of this person's views of this list. */
  storeKey: string
}

/** The ready filters of a list, and those that the person saved: each is an address. */
export const ViewTabs = ({ path, search, kept, storeKey }: ViewTabsProps) => {
  const [views, setViews] = useStored(storeKey, readViews)
  const [naming, setNaming] = useState(false)
  const navigateTo = useNavigateTo()
  const saved = views.find((view) => view.search === search)
  const known = saved !== undefined || quickViews.some((view) => view.search === search)
  const save = (name: string) => {
    setViews(withView(views, { name, search: kept }))
    if (kept !== search) navigateTo(addressOf(path, kept))
  }
  const remove = (view: View) => {
    setViews(withoutView(views, view.name))
    navigateTo(path)
    toast({
      title: `View “${view.name}” deleted`,
      action: { label: 'Undo', onAction: () => setViews(views) },
    })
  }
  return (
    <div className="mb-3 flex items-center gap-2 border-line border-b">
      <nav aria-label="Views" className="flex min-w-0 flex-1 gap-4 overflow-x-auto overflow-y-hidden">
        {[...quickViews, ...views].map((view) => (
          <ViewTab key={view.name} path={path} view={view} current={view.search === search} />
        ))}
      </nav>
      {known ? null : (
        <Button size="sm" variant="ghost" icon={<Bookmark />} onClick={() => setNaming(true)}>
          Save view
        </Button>
      )}
      <Menu trigger={<IconButton size="sm" label="This view" icon={<Ellipsis />} />}>
        <MenuItem icon={<Bookmark />} onSelect={() => setNaming(true)}>
          Save as view
        </MenuItem>
        <MenuItem icon={<Link2 />} onSelect={() => void copyAddress()}>
          Copy link
        </MenuItem>
        {saved ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={() => remove(saved)}>
              Delete the view “{saved.name}”
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {naming ? <SaveViewDialog views={views} onClose={() => setNaming(false)} onSave={save} /> : null}
    </div>
  )
}

const addressOf = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`)

const ViewTab = ({ path, view, current }: { path: string; view: View; current: boolean }) => (
  <AppLink
    to={addressOf(path, view.search)}
    aria-current={current ? 'page' : undefined}
    className={cx(
      'flex h-9 min-w-6 max-w-48 shrink-0 items-center justify-center border-b-2 px-0.5 font-medium text-sm outline-offset-[-2px] transition-colors touch:h-11',
      current ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
    )}
  >
    <span className="truncate">{view.name}</span>
  </AppLink>
)

const copyAddress = async (): Promise<void> => {
  try {
    await navigator.clipboard.writeText(location.href)
    toast({ tone: 'success', title: 'Link copied', description: 'Anyone who opens it sees the same filters.' })
  } catch {
    // Some browsers ask first, and people may say no
    toast({ tone: 'danger', title: 'Your browser blocked copying' })
  }
}

type SaveViewDialogProps = { views: readonly View[]; onClose: () => void; onSave: (name: string) => void }

const SaveViewDialog = ({ views, onClose, onSave }: SaveViewDialogProps) => {
  const form = useForm<{ name: string }>({
    initial: { name: '' },
    guard: false,
    validate: ({ name }) => {
      const problem = nameProblem(name, views)
      return problem === undefined ? {} : { name: problem }
    },
    onSubmit: async ({ name }) => {
      onSave(name)
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Save this view"
      description="Saves the search, filters, sorting and columns in this browser."
      size="sm"
      form={form}
      submitLabel="Save view"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} maxLength={MAX_VIEW_NAME} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
