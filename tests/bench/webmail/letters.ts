/** A newsletter as they are sent: nested tables, a stylesheet, a style on each element, pictures of a server elsewhere. */
export const newsletter = (number: number, length: number): string => {
  const rows: string[] = []
  let size = 0
  for (let index = 0; size < length; index += 1) {
    const row = rowOf(number, index)
    rows.push(row)
    size += row.length
  }
  const rules = Array.from(
    { length: 60 },
    (_, index) => `.cell-${index} td, #x${index} p {color: #${100 + index}; padding: ${index}px !important}`,
  )
  const html = `<!DOCTYPE html><html><head><title>News ${number}</title><style type="text/css">${rules.join('\n')}
@media only screen and (max-width: 480px) { .picture { width: 100% !important } body, td { font-size: 16px !important } }
</style></head><body bgcolor="#fafafa"><center><table width="600" cellpadding="0">${rows.join('')}</table></center></body></html>`
  return [
    'From: News <news@example.org>',
    'To: bob@ours.test',
    `Subject: News ${number}`,
    `Message-ID: <news-${number}@example.org>`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    html,
    '',
  ].join('\r\n')
}

const rowOf = (number: number, index: number): string => `<tr><td align="center" valign="top" class="cell-${index % 7}"
 style="padding:9px 18px; font-family: Helvetica, Arial, sans-serif; font-size:14px; color:#202020; line-height:150%">
<p style="margin:10px 0; text-align:left">Item ${number}.${index} with <a href="https://example.org/read?n=${number}&amp;i=${index}"
 style="color:#2BAADF;font-weight:normal;text-decoration:underline">a link</a>, <strong>strong words</strong> and some more.</p>
<img src="https://pictures.example.org/${number}/${index}.png" width="264" style="max-width:528px;padding-bottom:0" class="picture"
 alt="Picture ${index}"></td></tr>`
