import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Menu, MenuItem } from '@stoa/cms-model/menus.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { StickyFormActions } from '@stoa/ui/form/sticky-form-actions.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { MenuItem as Action, Menu as ActionMenu } from '@stoa/ui/layer/menu.tsx'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { menuProblems } from './items.ts'
import { DeleteMenu } from './menu-dialogs.tsx'
import { MenuItemsEditor } from './menu-items-editor.tsx'
import { menusQuery, readMenu, updateMenu } from './queries.ts'

type Values = { label: string; items: MenuItem[] }

const valuesOf = ({ label, items }: Menu): Values => ({ label, items })

/** One menu: its label and its tree of links. */
export const MenuEditor = ({ menu, onDeleted }: { menu: Menu; onDeleted: () => void }) => {
  const queryClient = useQueryClient()
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [seen, setSeen] = useState(menu)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<readonly FieldProblem[]>([])
  const [deleting, setDeleting] = useState(false)
  const versioned = useVersionedSave(`the menu “${seen.label}”`)
  const form = useForm<Values>({
    initial: valuesOf(menu),
    validate: (values) => {
      setTried(true)
      setRefused([])
      return Object.fromEntries(menuProblems(values).map(({ key, message }) => [key.split('.')[0], message]))
    },
    onSubmit: async (values) => {
      const { record, saved } = await versioned
        .save({
          version: seen.version,
          write: (version) => updateMenu(menu.name, changedMembers(values, valuesOf(seen)), version),
          read: () => readMenu(menu.name),
        })
        .catch((error: unknown) => {
          setRefused(problemOf(error).fields)
          throw error
        })
      await queryClient.invalidateQueries(menusQuery)
      setSeen(record)
      setTried(false)
      if (saved) toast({ tone: 'success', title: `“${record.label}” saved` })
      return valuesOf(record)
    },
  })
  if (menu.version > seen.version && !form.dirty && !form.submitting) {
    setSeen(menu)
    form.reset(valuesOf(menu))
  }
  const problems = [...(tried ? menuProblems(form.values) : []), ...refused]
  return (
    <>
      <Form form={form}>
        <Panel
          flush
          title={seen.label}
          description={
            <>
              API path: <code className="break-all font-mono text-xs">/site/menus/{menu.name}</code>
            </>
          }
          actions={
            <ActionMenu
              trigger={<IconButton size="sm" label={`Actions for the menu ${seen.label}`} icon={<Ellipsis />} />}
            >
              <Action icon={<Trash2 />} danger disabled={form.dirty} onSelect={() => setDeleting(true)}>
                {form.dirty ? 'Delete menu (save or discard first)' : 'Delete menu'}
              </Action>
            </ActionMenu>
          }
        >
          <div className="border-line border-b px-5 py-3.5">
            <Field label="Menu label" error={form.errors.label} className="max-w-field">
              <Input {...form.text('label')} autoComplete="off" />
            </Field>
          </div>
          <MenuItemsEditor
            items={form.values.items}
            onChange={(items) => {
              form.set({ items })
              setRefused([])
            }}
            problems={problems}
            disabled={form.submitting}
          />
        </Panel>
        <StickyFormActions form={form} />
      </Form>
      {versioned.dialog}
      <DeleteMenu menu={menu} open={deleting} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
    </>
  )
}
