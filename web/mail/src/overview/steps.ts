import type { Overview } from '@stoa/mail-model/overview.ts'
import type { ChecklistStep } from '@stoa/ui/feedback/checklist.tsx'

/** The way from a new account to the first mail that came in. */
export const stepsOf = ({
  onboarding,
  domains,
}: Pick<Overview, 'onboarding' | 'domains'>): readonly ChecklistStep[] => {
  const waiting = domains.find(({ status }) => status !== 'verified') ?? domains[0]
  const ready = domains.find(({ capabilities }) => capabilities.receiving === 'enabled') ?? domains[0]
  const words: Record<Overview['onboarding'][number]['step'], Omit<ChecklistStep, 'id' | 'done'>> = {
    verify_email: {
      label: 'Confirm your email address',
      help: 'Open the link we sent you, or resend it.',
      to: '/account',
    },
    add_domain: { label: 'Add a domain', help: 'The part of your addresses after the @.', to: '/domains?new=1' },
    verify_domain: {
      label: 'Publish its DNS records',
      help: 'Copy them, import the zone file, or publish them automatically.',
      to: waiting ? `/domains/${waiting.id}` : '/domains?new=1',
    },
    create_address: {
      label: 'Create an address',
      help: 'A mailbox with its own password.',
      to: ready ? `/addresses?domain=${ready.id}&new=1` : '/addresses?new=1',
    },
    receive_mail: {
      label: 'Receive your first message',
      help: 'Send a message to the new address and read it in webmail or your mail app.',
      to: ready ? `/addresses?domain=${ready.id}` : '/addresses',
    },
  }
  return onboarding.map(({ step, done }) => ({ id: step, ...words[step], done }))
}
