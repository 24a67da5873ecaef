import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field, FieldContext } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { quotaUnits } from '../../addresses/quota.ts'
import { COUNTS, countNames, limitProblems, limitsBody, limitValues, placeholderOf } from './limit-values.ts'
import { ACCOUNTS, saveAccount } from './queries.ts'

/** Limits in place of the plan's. */
export const LimitsPanel = ({ account }: { account: InstanceAccount }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: limitValues(account),
    validate: limitProblems,
    onSubmit: async (values) => {
      const saved = await saveAccount(account.id, { limits: limitsBody(values) })
      await queryClient.invalidateQueries({ queryKey: ACCOUNTS })
      toast({ tone: 'success', title: 'Limits saved' })
      return limitValues(saved)
    },
  })
  const { values, errors, set } = form
  const placeholder = (name: Parameters<typeof placeholderOf>[2]) => placeholderOf(account.limits, ownOf(account), name)
  const storage = values.storage_bytes
  return (
    <Panel title="Limits" description="Limits for this account only. Leave a field empty to use the plan's limit.">
      <Form form={form}>
        <div className="grid gap-4 desk:grid-cols-2">
          {countNames.map((name) => (
            <Field key={name} label={COUNTS[name]} error={errors[name]}>
              <Input
                {...form.text(name)}
                inputMode="numeric"
                autoComplete="off"
                className="max-w-40"
                placeholder={placeholder(name)}
              />
            </Field>
          ))}
          <Field label="Storage" error={errors.storage_bytes}>
            <div className="flex min-w-0 gap-2">
              <Input
                className="max-w-40"
                inputMode="decimal"
                autoComplete="off"
                placeholder={placeholder('storage_bytes')}
                value={storage.amount}
                onChange={(event) => set({ storage_bytes: { ...storage, amount: event.target.value } })}
              />
              {/* The wiring of the field is for the number */}
              <FieldContext value={null}>
                <Select
                  aria-label="Storage unit"
                  className="max-w-24"
                  value={storage.unit}
                  options={quotaUnits.map((unit) => ({ value: unit, label: unit }))}
                  onValue={(unit) =>
                    set({ storage_bytes: { ...storage, unit: quotaUnits.find((one) => one === unit) ?? 'GB' } })
                  }
                />
              </FieldContext>
            </div>
          </Field>
        </div>
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}

const ownOf = ({ limit_overrides: own }: InstanceAccount) =>
  Object.fromEntries(Object.entries(own).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
