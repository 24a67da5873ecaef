import { type Menu, menuName } from '@stoa/cms-model/menus.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { sentence } from '@stoa/ui/request/request.ts'
import { useQueryClient } from '@tanstack/react-query'
import { nameFromLabel } from '../types/names.ts'
import { createMenu, deleteMenu, menusQuery } from './queries.ts'

type Values = { label: string; name: string }

const validate = ({ label, name }: Values): Partial<Record<keyof Values, string>> => {
  const refused = menuName.safeParse(name, { error: issueText }).error?.issues[0]?.message
  return {
    ...(label.trim() ? {} : { label: 'Enter a label.' }),
    ...(name === ''
      ? { name: 'Enter a name. Your website uses it to load the menu.' }
      : refused
        ? { name: sentence(refused) }
        : {}),
  }
}

type NewMenuProps = { onClose: () => void; onCreated: (menu: Menu) => void }

export const NewMenuDialog = ({ onClose, onCreated }: NewMenuProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { label: '', name: '' },
    validate,
    guard: false,
    onSubmit: async (values) => {
      const created = await createMenu(values)
      await queryClient.invalidateQueries(menusQuery)
      onCreated(created)
      return undefined
    },
  })
  const { label, name } = form.values
  const follows = name === '' || name === nameFromLabel(label)
  return (
    <FormDialog
      title="New menu"
      description="A set of navigation links that your website loads by name"
      form={form}
      submitLabel="Create menu"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Label" error={form.errors.label}>
        <Input
          value={label}
          placeholder="Main menu"
          autoComplete="off"
          onChange={({ target: { value } }) =>
            form.set(follows ? { label: value, name: nameFromLabel(value) } : { label: value })
          }
        />
      </Field>
      <Field
        label="Name"
        help="Your website loads the menu by this name. It can't be changed later."
        error={form.errors.name}
      >
        <Input
          {...form.text('name')}
          placeholder="main-menu"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
    </FormDialog>
  )
}

type DeleteMenuProps = { menu: Menu; open: boolean; onClose: () => void; onDeleted: () => void }

export const DeleteMenu = ({ menu, open, onClose, onDeleted }: DeleteMenuProps) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete the menu “${menu.label}”?`}
      consequence={`Websites that use “${menu.name}” will show no links there. This can't be undone.`}
      confirmLabel="Delete menu"
      typeName={menu.name}
      onConfirm={async () => {
        await deleteMenu(menu.name)
        await queryClient.invalidateQueries(menusQuery)
        onDeleted()
        toast({ tone: 'success', title: `“${menu.label}” deleted` })
      }}
    />
  )
}
