import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { embedCode, policyLines } from './values.ts'

/** How the bubble gets onto a website. */
export const EmbedPanel = ({ isOn }: { isOn: boolean }) => (
  <Panel title="Add it to your website" description="Paste this line into every page, before </body>.">
    <div className="flex max-w-prose flex-col gap-4">
      {isOn ? null : <Notice tone="info">The bubble appears once the visitor assistant is on and saved.</Notice>}
      <CodeBlock label="embed code" code={embedCode(location.origin)} wrap />
      <Disclosure summary="My pages have a content security policy">
        <div className="flex flex-col gap-2 pt-2">
          <p className="text-muted text-sm">
            Add this URL to these two directives. Your style-src doesn't need to change.
          </p>
          <CodeBlock label="policy" code={policyLines(location.origin)} wrap />
        </div>
      </Disclosure>
    </div>
  </Panel>
)
