/** The conversation or message of the address, with what can be done with it. */
export const ReadingPane = ({ place, messageId }: { place: string; messageId: string }) => (
  <p>
    {place} {messageId}
  </p>
)
