import type { TaxId } from '@stoa/mail-model/billing.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Form, FormActions } from '@stoa/ui/form.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Loaded } from '@stoa/ui/loaded.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { saveTaxId, taxIdQuery } from './queries.ts'

/** The number that invoices carry. */
export const TaxPanel = () => {
  const query = useQuery(taxIdQuery)
  return (
    <Panel
      title="Tax number"
      description="It stands on your invoices. In the European Union a valid one means that no VAT is charged across borders."
      actions={query.data?.value ? <TaxStatus status={query.data.status} /> : undefined}
    >
      <Loaded query={query} name="Your tax number" lines={3}>
        {(taxId) => <TaxForm key={taxId.value} taxId={taxId} />}
      </Loaded>
    </Panel>
  )
}

const TaxStatus = ({ status }: Pick<TaxId, 'status'>) => {
  if (status === 'verified') return <Status tone="live">Verified</Status>
  if (status === 'unverified') return <Status tone="failed">Not known to the authority</Status>
  return status === 'pending' ? (
    <Status tone="scheduled">Being checked</Status>
  ) : (
    <Status tone="neutral">Not checked</Status>
  )
}

const valuesOf = ({ value, country }: Pick<TaxId, 'value' | 'country'>) => ({
  value: value ?? '',
  country: country ?? '',
})

const TaxForm = ({ taxId }: { taxId: TaxId }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: valuesOf(taxId),
    onSubmit: async ({ value, country }) => {
      const saved = await saveTaxId({
        value: value.trim() || null,
        ...(country.trim() && value.trim() ? { country: country.trim() } : {}),
      })
      queryClient.setQueryData(taxIdQuery.queryKey, saved)
      toast({ tone: 'success', title: saved.value === null ? 'The tax number is removed' : 'The tax number is saved' })
      return valuesOf(saved)
    },
  })
  return (
    <Form form={form} className="max-w-field">
      <Field label="Country" optional help="Two letters, such as DE." error={form.errors.country}>
        <Input {...form.text('country')} className="max-w-24" maxLength={2} autoComplete="country" />
      </Field>
      <Field label="Number" optional help="Leave it empty to remove it." error={form.errors.value}>
        <Input {...form.text('value')} autoComplete="off" spellCheck={false} placeholder="DE123456789" />
      </Field>
      <FormActions form={form} />
    </Form>
  )
}
