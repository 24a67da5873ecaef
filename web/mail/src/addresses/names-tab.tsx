import type { Address } from '@stoa/mail-model/addresses.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { ComparePlans } from '../plan-limit.tsx'
import { filled, NameList } from './name-list.tsx'
import { addressLimitsQuery, updateAddress } from './queries.ts'
import { RouteTester } from './route-tester.tsx'
import { useKeepAddress } from './use-address-change.ts'

export const NamesTab = ({ address }: { address: Address }) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    <div className="flex min-w-0 flex-col gap-4">
      <AliasesPanel address={address} />
      <ForwardsPanel address={address} />
    </div>
    <RouteTester address={address} />
  </div>
)

type Aliases = { aliases: readonly string[] }

const AliasesPanel = ({ address }: { address: Address }) => {
  const keep = useKeepAddress()
  const { data: plan } = useQuery(addressLimitsQuery)
  const limit = plan?.limits.aliases_per_address ?? null
  const suffix = `@${address.email.slice(address.local_part.length + 1)}`
  const form = useForm<Aliases>({
    initial: { aliases: shortNames(address, suffix) },
    onSubmit: async ({ aliases }) => {
      const saved = await updateAddress(address.id, { aliases: filled(aliases) }).catch(blameAliases)
      keep(saved)
      toast({ tone: 'success', title: 'Aliases saved' })
      return { aliases: shortNames(saved, suffix) }
    },
  })
  return (
    <Panel title="Aliases" description="Other addresses that deliver to this mailbox. You can also send from them.">
      <Form form={form}>
        <NameList
          label="Aliases"
          one="alias"
          value={form.values.aliases}
          onValue={(aliases) => form.set({ aliases })}
          error={form.errors.aliases}
          placeholder="hello"
          suffix={suffix}
          help={
            <>
              A name at this domain, or a full address at another of your domains. Use <code>*</code> to match any text:{' '}
              <code>shop-*</code> matches shop-news and shop-orders. Addresses with a <code>+</code>, like{' '}
              {address.local_part}+news, work without an alias.
            </>
          }
        />
        {limit === null ? null : (
          <p className="text-faint text-xs">
            {formatCount(filled(form.values.aliases).length, 'alias', 'aliases')} of {limit}.
            <ComparePlans />
          </p>
        )}
        <FormActions form={form} label="Save aliases" />
      </Form>
    </Panel>
  )
}

/** Names at the domain of the address are shown without it, as they are typed. */
const shortNames = ({ aliases }: Address, suffix: string): readonly string[] =>
  aliases.map((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name))

const TAKEN = 'One of these names is already used by another address or alias.'

const blameAliases = (error: unknown): never => {
  if (!hasName(error, 'conflict')) throw error
  throw new ProblemError(TAKEN, [{ key: 'aliases', message: TAKEN }], { cause: error })
}

type Forwards = { forward_to: readonly string[]; keep_copy: boolean }

const forwardsOf = ({ forward_to, keep_copy }: Address): Forwards => ({ forward_to, keep_copy })

const ForwardsPanel = ({ address }: { address: Address }) => {
  const keep = useKeepAddress()
  const [base, setBase] = useState(forwardsOf(address))
  const form = useForm<Forwards>({
    initial: base,
    onSubmit: async (values) => {
      const wanted = { ...values, forward_to: filled(values.forward_to) }
      const saved = await updateAddress(address.id, changedMembers(wanted, base))
      keep(saved)
      setBase(forwardsOf(saved))
      toast({ tone: 'success', title: 'Forwarding saved' })
      return forwardsOf(saved)
    },
  })
  const targets = filled(form.values.forward_to)
  return (
    <Panel title="Forwarding" description="Incoming mail is also sent to these addresses.">
      <Form form={form}>
        <NameList
          label="Forward to"
          one="forwarding address"
          value={form.values.forward_to}
          onValue={(next) => form.set({ forward_to: next })}
          error={form.errors.forward_to}
          placeholder="team@elsewhere.com"
          help="Full email addresses, here or at other providers. Up to 20."
        />
        {targets.length === 0 ? null : (
          <CheckboxField
            {...form.flag('keep_copy')}
            label="Keep a copy in this mailbox"
            help="When off, forwarded mail isn't stored here."
          />
        )}
        {targets.length > 0 && !form.values.keep_copy ? (
          <Notice tone="warning" title="No copy is kept">
            If {targets.length === 1 ? targets[0] : 'another provider'} rejects a message, it bounces and no copy is
            left. Keep a copy unless you're sure it's stored elsewhere.
          </Notice>
        ) : null}
        <FormActions form={form} label="Save forwarding" />
      </Form>
    </Panel>
  )
}
