import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useAllPlans } from './plan-names.ts'
import { ACCOUNTS, saveAccount } from './queries.ts'

/** The plan that the account is on without paying for it. */
export const PlanPanel = ({ account }: { account: InstanceAccount }) => {
  const plans = useAllPlans()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { plan_id: account.plan_id },
    onSubmit: async (values) => {
      const saved = await saveAccount(account.id, values)
      await queryClient.invalidateQueries({ queryKey: ACCOUNTS })
      toast({ tone: 'success', title: 'Plan changed' })
      return { plan_id: saved.plan_id }
    },
  })
  // Without plans for sale, only limits can be set
  if (plans.length < 2) return null
  return (
    <Panel title="Plan" description="The account isn't charged for a plan that you choose here.">
      <Form form={form} className="max-w-field">
        <Field label="Plan" error={form.errors.plan_id}>
          <Select {...form.choice('plan_id')} options={plans.map(({ id, name }) => ({ value: id, label: name }))} />
        </Field>
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}
