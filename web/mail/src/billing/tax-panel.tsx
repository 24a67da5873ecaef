import type { TaxId } from '@stoa/mail-model/billing.ts'
import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { saveTaxId, taxIdQuery } from './queries.ts'

/** The authority answers after minutes. */
const LOOK_MS = 10_000

/** The number that invoices carry. */
export const TaxPanel = () => {
  const query = useQuery({
    ...taxIdQuery,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? LOOK_MS : false),
  })
  return (
    <Panel
      title="Tax ID"
      description="Shown on your invoices. With a valid VAT number of another EU country, you aren't charged VAT."
    >
      <QueryBoundary query={query} name="Your tax ID" lines={3}>
        {(taxId) => (
          <div className="flex flex-col gap-4">
            {taxId.value === null || taxId.status === null ? null : <TaxStatus status={taxId.status} />}
            <TaxForm key={taxId.value} taxId={taxId} />
          </div>
        )}
      </QueryBoundary>
    </Panel>
  )
}

const states: Record<NonNullable<TaxId['status']>, { tone: Tone; label: string; help: string }> = {
  verified: { tone: 'live', label: 'Verified', help: 'The tax authority confirmed this number.' },
  pending: { tone: 'scheduled', label: 'Being checked', help: 'The tax authority usually answers within minutes.' },
  unverified: {
    tone: 'failed',
    label: 'Not found',
    help: "The tax authority doesn't know this number. Check it for typos, or ask your tax office.",
  },
  unavailable: {
    tone: 'neutral',
    label: 'Not checked',
    help: "This number can't be checked automatically. It still appears on your invoices.",
  },
}

const TaxStatus = ({ status }: { status: NonNullable<TaxId['status']> }) => (
  <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
    <Status tone={states[status].tone}>{states[status].label}</Status>
    {states[status].help}
  </p>
)

const valuesOf = ({ value, country }: Pick<TaxId, 'value' | 'country'>) => ({
  value: value ?? '',
  country: country ?? '',
})

const TaxForm = ({ taxId }: { taxId: TaxId }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: valuesOf(taxId),
    validate: ({ value, country }) =>
      value.trim() !== '' && country === '' ? { country: 'Choose the country that issued the number.' } : {},
    onSubmit: async ({ value, country }) => {
      const number = value.trim()
      const saved = await saveTaxId(number === '' ? { value: null } : { value: number, country })
      queryClient.setQueryData(taxIdQuery.queryKey, saved)
      toast({ tone: 'success', title: saved.value === null ? 'Tax ID removed' : 'Tax ID saved' })
      return valuesOf(saved)
    },
  })
  return (
    <Form form={form} className="max-w-field">
      <Field label="Country" error={form.errors.country}>
        <Select {...form.choice('country')} options={taxCountries()} placeholder="Choose a country" />
      </Field>
      <Field
        label="Number"
        help={taxId.value === null ? undefined : 'Leave empty to remove your tax ID.'}
        error={form.errors.value}
      >
        <Input
          {...form.text('value')}
          autoComplete="off"
          spellCheck={false}
          placeholder={exampleIn(form.values.country)}
        />
      </Field>
      <FormActions form={form} label="Save tax ID" />
    </Form>
  )
}

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** One example for each country whose tax numbers the service knows. */
const examples: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EU.map((code) => [code, `${code}123456789`])),
  GR: 'EL123456789',
  AU: '12345678912',
  CA: '123456789',
  CH: 'CHE-123.456.789 MWST',
  GB: 'GB123456789',
  IN: '12ABCDE3456FGZH',
  NO: '123456789MVA',
  US: '12-3456789',
}

const exampleIn = (country: string): string => examples[country] ?? 'DE123456789'

/** The countries by their names in the person's language. */
const taxCountries = (locale?: string): readonly SelectOption[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return Object.keys(examples)
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
}
