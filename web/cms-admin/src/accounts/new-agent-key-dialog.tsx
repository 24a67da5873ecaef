import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { expiryChoices, grantChoices } from './grants.ts'
import { agentKeysQuery, type MintedAgentKey, mintAgentKey } from './queries.ts'

type Values = { name: string; grants: Permission[]; expiresInDays: string; password: string }

type NewAgentKeyProps = { me: Me; onClose: () => void; onMinted: (key: MintedAgentKey) => void }

export const NewAgentKeyDialog = ({ me, onClose, onMinted }: NewAgentKeyProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', grants: ['content.read'], expiresInDays: '90', password: '' },
    validate: (values) => ({
      ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
      ...(values.grants.length > 0 ? {} : { grants: 'Choose at least one permission.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async (values) => {
      const minted = await mintAgentKey({ ...values, expiresInDays: Number(values.expiresInDays) })
      void queryClient.invalidateQueries(agentKeysQuery)
      onMinted(minted)
      return undefined
    },
  })
  const { grants } = form.values
  return (
    <FormDialog
      title="New agent key"
      description="A key can never do more than you can. When your role changes, its permissions change too."
      form={form}
      submitLabel="Create key"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" help="What it's for, such as a script or an assistant" error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" placeholder="Import script" />
      </Field>
      <ChoiceGroup
        label="Permissions"
        error={form.errors.grants}
        className="grid! grid-cols-2 gap-x-6 phone:grid-cols-1"
      >
        {grantChoices(me.role).map(({ permission, label, help }) => (
          <CheckboxField
            key={permission}
            label={label}
            help={help}
            checked={grants.includes(permission)}
            onChecked={(checked) =>
              form.set({
                grants: checked ? [...grants, permission] : grants.filter((other) => other !== permission),
              })
            }
          />
        ))}
      </ChoiceGroup>
      <Field label="Expires after" error={form.errors.expiresInDays}>
        <Select {...form.choice('expiresInDays')} options={expiryChoices} className="max-w-40" />
      </Field>
      <Field label="Your password" help="A key outlives this session, so we ask again." error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </FormDialog>
  )
}
