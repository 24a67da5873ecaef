import type { DomainWithRecords } from '@stoa/mail-model/domains.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../api.ts'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { asciiName, tidyName } from './names.ts'
import { addDomain, domainQuery, domainsKey } from './queries.ts'

type Values = { name: string }

type NewDomainDialogProps = { onClose: () => void; onAdded: (domain: DomainWithRecords) => void }

export const NewDomainDialog = ({ onClose, onAdded }: NewDomainDialogProps) => {
  const queryClient = useQueryClient()
  const limit = usePlanLimit()
  const form = useForm<Values>({
    initial: { name: '' },
    validate: ({ name }) => (tidyName(name) === '' ? { name: 'Enter a domain like example.com.' } : {}),
    onSubmit: async ({ name }) => {
      const domain = await limit.guard('more domains', () => add(tidyName(name)))
      queryClient.setQueryData(domainQuery(domain.id).queryKey, domain)
      void queryClient.invalidateQueries({ queryKey: [...domainsKey, 'list'] })
      void queryClient.invalidateQueries({ queryKey: [...domainsKey, 'all'] })
      void queryClient.invalidateQueries({ queryKey: ['overview'] })
      onAdded(domain)
      return undefined
    },
  })
  const tidy = tidyName(form.values.name)
  const ascii = asciiName(tidy)
  return (
    <FormDialog
      title="Add a domain"
      description="Next, you'll publish its DNS records."
      form={form}
      submitLabel="Add domain"
      allowUnchanged
      onClose={onClose}
    >
      <PlanLimitHint limit={limit} />
      <Field
        label="Domain"
        help={
          ascii === null ? (
            'A domain you own, like example.com, or a subdomain, like mail.example.com.'
          ) : (
            <>
              In DNS: <code className="font-mono">{ascii}</code>.
            </>
          )
        }
        error={form.errors.name}
      >
        <Input
          {...form.text('name')}
          placeholder="example.com"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      {tidy !== '' && tidy !== form.values.name.trim() ? (
        <p className="text-muted text-xs">
          Will be added as <strong className="break-all font-medium text-ink">{tidy}</strong>.
        </p>
      ) : null}
    </FormDialog>
  )
}

const TAKEN =
  'This domain was already added, by you or another account. If you own it, try again in 72 hours: unverified domains are released then.'

const add = async (name: string): Promise<DomainWithRecords> => {
  try {
    return await addDomain(name)
  } catch (error) {
    if (!hasName(error, 'conflict')) throw error
    throw new ProblemError(TAKEN, [{ key: 'name', message: TAKEN }], { cause: error })
  }
}
