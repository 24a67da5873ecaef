import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { MailPlus, MonitorSmartphone, Route, SquareArrowOutUpRight } from 'lucide-react'
import type { ReactNode } from 'react'

export type Made = { address: Address; password: string; domain: Domain | undefined }

/** Next steps for a mailbox that was just created. */
export const ReadyDialog = ({ made, onClose }: { made: Made; onClose: () => void }) => {
  const { address, password, domain } = made
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={<span className="break-all">{`${address.email} is ready`}</span>}
      description="Share the password with the mailbox owner. You won't see it again."
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <LinkButton variant="primary" to={`/addresses/${address.id}`}>
            Open address
          </LinkButton>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {domain?.capabilities.receiving === 'disabled' ? (
          <Notice tone="warning" title={`${domain.unicode_name} can't receive mail yet`}>
            <TextLink to={`/domains/${domain.id}`}>Publish its DNS records</TextLink> first.
          </Notice>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <CopyButton size="md" text={address.email} label="Copy address" />
          <CopyButton size="md" text={password} label="Copy password" />
        </div>
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          <Step icon={<SquareArrowOutUpRight />} title="Open webmail" text="Read and send mail in the browser.">
            <a href="/webmail/sign-in" target="_blank" rel="noreferrer" className={buttonClass('secondary', 'sm')}>
              Open webmail
            </a>
          </Step>
          <Step icon={<MonitorSmartphone />} title="Set up a mail app" text="Profile, QR code or manual settings.">
            <LinkButton size="sm" to={`/addresses/${address.id}?tab=setup`}>
              Set up
            </LinkButton>
          </Step>
          <Step icon={<MailPlus />} title="Send a test message" text="Write to it from another mailbox.">
            <a href={`mailto:${address.email}?subject=Test`} className={buttonClass('secondary', 'sm')}>
              Send test
            </a>
          </Step>
          <Step
            icon={<Route />}
            title="Check that it arrives"
            text="Activity shows every message, including rejected ones."
          >
            <LinkButton size="sm" to={`/addresses/${address.id}?tab=activity`}>
              Activity
            </LinkButton>
          </Step>
        </ul>
      </div>
    </Dialog>
  )
}

type StepProps = { icon: ReactNode; title: string; text: string; children: ReactNode }

const Step = ({ icon, title, text, children }: StepProps) => (
  <li className="flex flex-wrap items-center gap-3 px-3 py-2.5">
    <span aria-hidden className="text-muted [&_svg]:size-4">
      {icon}
    </span>
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="font-medium text-ink text-sm">{title}</span>
      <span className="text-faint text-xs">{text}</span>
    </span>
    {children}
  </li>
)
