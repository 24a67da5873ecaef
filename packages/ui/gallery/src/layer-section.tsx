import { Archive, Copy, FileText, House, Pencil, Plus, Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { toast } from '../../src/feedback/toast-store.ts'
import { Field } from '../../src/form/field.tsx'
import { Input } from '../../src/form/input.tsx'
import { useForm } from '../../src/form/use-form.ts'
import { ConfirmDialog } from '../../src/layer/confirm-dialog.tsx'
import { Dialog } from '../../src/layer/dialog.tsx'
import { FormDialog } from '../../src/layer/form-dialog.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '../../src/layer/menu.tsx'
import { Tabs } from '../../src/navigation/tabs.tsx'
import { ProblemError } from '../../src/request/problem.ts'
import { CommandPalette } from '../../src/shell/command-palette.tsx'
import { Specimen, Specimens } from './specimen.tsx'

export const LayerSection = () => (
  <Specimens>
    <Specimen title="Dialogs">
      <DialogExample />
      <FormDialogExample />
      <ConfirmExamples />
    </Specimen>
    <Specimen title="Menu">
      <MenuExample label="Actions" />
    </Specimen>
    <Specimen title="Command palette">
      <PaletteExample />
    </Specimen>
    <Specimen title="Tabs" stack>
      <TabsExample />
    </Specimen>
  </Specimens>
)

const FormDialogExample = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open form</Button>
      {open ? <RenameDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const RenameDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({
    initial: { name: 'Website' },
    validate: (values): { name?: string } => (values.name.trim() ? {} : { name: 'Enter a name.' }),
    onSubmit: async (values) => {
      onClose()
      return values
    },
  })
  return (
    <FormDialog title="Rename “Website”" size="sm" form={form} submitLabel="Rename" onClose={onClose}>
      <Field label="Name" error={form.errors.name}>
        <Input {...form.text('name')} />
      </Field>
    </FormDialog>
  )
}

const DialogExample = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Invite a person"
        description="They get access at once and choose their own password."
        footer={
          <>
            <MenuExample label="More" />
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Invite
            </Button>
          </>
        }
      >
        <Field label="Email">
          <Input type="email" placeholder="name@example.test" />
        </Field>
      </Dialog>
    </>
  )
}

const ConfirmExamples = () => {
  const [open, setOpen] = useState<'undoable' | 'final' | 'failing'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('undoable')}>Confirm</Button>
      <Button onClick={() => setOpen('final')}>Type the name</Button>
      <Button onClick={() => setOpen('failing')}>Failing action</Button>
      <ConfirmDialog
        open={open === 'undoable'}
        onOpenChange={close}
        title="Delete “Spring menu”?"
        consequence="It leaves the website now and stays in the trash for 30 days."
        confirmLabel="Delete entry"
        onConfirm={() => void toast({ title: 'Entry deleted', action: { label: 'Undo', onAction: () => undefined } })}
      />
      <ConfirmDialog
        open={open === 'final'}
        onOpenChange={close}
        title="Delete the domain example.test?"
        consequence="All 3 addresses and 12,408 messages are deleted. This cannot be undone."
        confirmLabel="Delete domain"
        typeName="example.test"
        onConfirm={() => void toast({ title: 'Domain deleted' })}
      />
      <ConfirmDialog
        open={open === 'failing'}
        onOpenChange={close}
        title="Publish “Spring menu”?"
        consequence="It becomes visible on the website."
        confirmLabel="Publish"
        tone="primary"
        onConfirm={() => Promise.reject(new ProblemError('The slug “spring-menu” is taken by another entry.'))}
      />
    </>
  )
}

const MenuExample = ({ label }: { label: string }) => {
  const [wide, setWide] = useState(true)
  return (
    <Menu align="start" trigger={<Button>{label}</Button>}>
      <MenuLabel>Entry</MenuLabel>
      <MenuItem icon={<Pencil />} shortcut="e" onSelect={() => toast({ title: 'Edit' })}>
        Edit
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => toast({ title: 'Duplicate' })}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<Archive />} disabled onSelect={() => undefined}>
        Archive
      </MenuItem>
      <MenuSeparator />
      <MenuCheck checked={wide} onChecked={setWide}>
        Wide layout
      </MenuCheck>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => toast({ title: 'Delete' })}>
        Delete
      </MenuItem>
    </Menu>
  )
}

const PaletteExample = () => {
  const [open, setOpen] = useState(false)
  const [last, setLast] = useState('nothing yet')
  const item = (id: string, label: string, icon: React.ReactNode, more: { hint?: string; shortcut?: string } = {}) => ({
    id,
    label,
    icon,
    ...more,
    onRun: () => setLast(label),
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open palette</Button>
      <output className="text-muted text-sm">Ran: {last}</output>
      <CommandPalette
        open={open}
        onOpenChange={setOpen}
        groups={[
          {
            heading: 'Go to',
            items: [
              item('home', 'Dashboard', <House aria-hidden />, { shortcut: 'g d' }),
              item('settings', 'Settings', <Settings aria-hidden />, { shortcut: 'g s' }),
            ],
          },
          {
            heading: 'Entries',
            items: [
              item('e1', 'Spring menu', <FileText aria-hidden />, { hint: 'Page' }),
              item('e2', 'Opening hours in the week after Easter', <FileText aria-hidden />, { hint: 'Post' }),
            ],
          },
          { heading: 'Actions', items: [item('new', 'New entry', <Plus aria-hidden />)] },
        ]}
      />
    </>
  )
}

const TabsExample = () => {
  const [tab, setTab] = useState<'content' | 'revisions' | 'settings' | 'locked'>('content')
  return (
    <Tabs
      label="Entry"
      value={tab}
      onValue={setTab}
      tabs={[
        { value: 'content', label: 'Content', content: <p className="text-sm">The fields of the entry.</p> },
        {
          value: 'revisions',
          label: 'Revisions',
          count: 12,
          content: <p className="text-sm">Twelve earlier versions.</p>,
        },
        { value: 'settings', label: 'Settings', content: <p className="text-sm">Slug, author, language.</p> },
        { value: 'locked', label: 'Audit', disabled: true, content: <p className="text-sm">Not for this role.</p> },
      ]}
    />
  )
}
