import type { Domain } from '@stoa/mail-model/domains.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, Ban, CornerDownRight, Globe, Inbox } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { AddressSelect } from '../addresses/address-select.tsx'
import { allAddressesQuery } from '../addresses/queries.ts'
import { type PlanLimit, PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { allDomainsQuery, domainQuery, domainsKey, setFallback, updateDomain } from './queries.ts'

type Values = { catch_all_address_id: string; fallback_domain_id: string }

const valuesOf = (domain: Domain): Values => ({
  catch_all_address_id: domain.catch_all_address_id ?? '',
  fallback_domain_id: domain.fallback_domain_id ?? '',
})

/** Settings for mail to addresses that do not exist. */
export const RoutingTab = ({ domain }: { domain: Domain }) => {
  const queryClient = useQueryClient()
  const limit = usePlanLimit()
  const [before, setBefore] = useState(valuesOf(domain))
  const form = useForm<Values>({
    initial: before,
    onSubmit: async (values) => {
      const saved = await save({ id: domain.id, before, values }, limit.guard)
      queryClient.setQueryData(domainQuery(domain.id).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      toast({ tone: 'success', title: 'Routing saved' })
      setBefore(valuesOf(saved))
      return valuesOf(saved)
    },
  })
  return (
    <div className="grid grid-cols-2 items-start gap-6 phone:grid-cols-1">
      <Panel
        title="Mail to unknown addresses"
        description="If you leave these empty, mail to unknown addresses is rejected."
      >
        <Form form={form}>
          <PlanLimitHint limit={limit} />
          <Field
            label="Catch-all address"
            optional
            help="Receives all mail to addresses that don't exist at this domain. Expect more spam."
            error={form.errors.catch_all_address_id}
          >
            <AddressSelect
              value={form.values.catch_all_address_id}
              none="None"
              onValue={(id) => form.set({ catch_all_address_id: id })}
            />
          </Field>
          <Field
            label="Fallback domain"
            optional
            help="Delivers mail to the same name at another domain, for example for an alternative spelling. Fallbacks can't be chained."
            error={form.errors.fallback_domain_id}
          >
            <FallbackSelect
              domain={domain}
              value={form.values.fallback_domain_id}
              onValue={(id) => form.set({ fallback_domain_id: id })}
            />
          </Field>
          <FormActions form={form} />
        </Form>
      </Panel>
      <DeliveryOrder domain={domain} values={form.values} />
    </div>
  )
}

const save = async (
  { id, before, values }: { id: string; before: Values; values: Values },
  guard: PlanLimit['guard'],
) => {
  const catchAll = () => updateDomain(id, { catch_all_address_id: values.catch_all_address_id || null })
  const fallback = () => setFallback(id, values.fallback_domain_id || null)
  const changed =
    values.catch_all_address_id === before.catch_all_address_id
      ? undefined
      : await guard('a catch-all address', catchAll)
  if (changed && values.fallback_domain_id === before.fallback_domain_id) return changed
  return guard('a fallback domain', fallback)
}

type FallbackSelectProps = { domain: Domain; value: string; onValue: (id: string) => void }

/** Only domains that would not make a chain can be chosen. */
const FallbackSelect = ({ domain, value, onValue }: FallbackSelectProps) => {
  const { data } = useQuery(allDomainsQuery)
  const all = data?.data ?? []
  const isTarget = all.some((other) => other.fallback_domain_id === domain.id)
  const options = all
    .filter(({ id }) => id !== domain.id)
    .map((other) => ({
      value: other.id,
      label: other.fallback_domain_id === null ? other.unicode_name : `${other.unicode_name} (has its own fallback)`,
      disabled: isTarget || other.fallback_domain_id !== null,
    }))
  const none = isTarget ? "None (this domain is another domain's fallback)" : 'None'
  return (
    <Select
      name="fallback_domain_id"
      value={value}
      onValue={onValue}
      options={[
        { value: '', label: none },
        ...(value !== '' && !options.some((option) => option.value === value) ? [{ value, label: '…' }] : []),
        ...options,
      ]}
    />
  )
}

/** The steps that mail goes through until one fits, with an example for the values on the form. */
const DeliveryOrder = ({ domain, values }: { domain: Domain; values: Values }) => {
  const addresses = useQuery(allAddressesQuery)
  const domains = useQuery(allDomainsQuery)
  const catchAll = addresses.data?.addresses.find(({ id }) => id === values.catch_all_address_id)?.email
  const fallback = domains.data?.data.find(({ id }) => id === values.fallback_domain_id)?.unicode_name
  const example = `sales@${domain.unicode_name}`
  const goesToCatchAll = values.catch_all_address_id !== ''
  const goesToFallback = !goesToCatchAll && values.fallback_domain_id !== ''
  return (
    <Panel title="Delivery order" description={`Example: mail to ${example}, which doesn't exist.`}>
      <ol className="flex flex-col gap-3">
        <RoutingStep icon={<AtSign aria-hidden />} title="Address">
          No match. A part after +, as in sales+news, is ignored.
        </RoutingStep>
        <RoutingStep icon={<CornerDownRight aria-hidden />} title="Alias, then a pattern like sales-*">
          No match.
        </RoutingStep>
        <RoutingStep icon={<Inbox aria-hidden />} title="Catch-all address" chosen={goesToCatchAll}>
          {goesToCatchAll ? `Delivered to ${catchAll ?? 'the catch-all'}.` : 'Not set.'}
        </RoutingStep>
        <RoutingStep icon={<Globe aria-hidden />} title="Fallback domain" chosen={goesToFallback}>
          {values.fallback_domain_id === ''
            ? 'Not set.'
            : goesToFallback
              ? `Delivered to sales@${fallback ?? '…'}, if it exists.`
              : 'Not used: the catch-all receives everything.'}
        </RoutingStep>
        <RoutingStep icon={<Ban aria-hidden />} title="Rejected" chosen={!goesToCatchAll && !goesToFallback}>
          The sender is notified that the address doesn't exist.
        </RoutingStep>
      </ol>
      <p className="mt-4 text-faint text-xs">
        postmaster@ and abuse@ always work, as required by the standards. Without such an address, their mail goes to
        the catch-all or your account's email address.
      </p>
    </Panel>
  )
}

type RoutingStepProps = { icon: ReactNode; title: string; chosen?: boolean; children: ReactNode }

const RoutingStep = ({ icon, title, chosen = false, children }: RoutingStepProps) => (
  <li
    aria-current={chosen ? 'true' : undefined}
    className={cx(
      'flex items-start gap-3 rounded-lg border px-3 py-2',
      chosen ? 'border-accent-line bg-accent-soft' : 'border-line',
    )}
  >
    <span className={cx('mt-0.5 shrink-0 [&_svg]:size-4', chosen ? 'text-accent-ink' : 'text-faint')}>{icon}</span>
    <div className="min-w-0 text-sm">
      <p className="font-medium text-ink">{title}</p>
      <p className="break-words text-muted">{children}</p>
    </div>
  </li>
)
