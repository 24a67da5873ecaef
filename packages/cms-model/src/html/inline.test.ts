import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanInline } from './inline.ts'

describe('a formatted field', () => {
  for (const [rule, from, to] of [
    ['keeps text, i and br', 'a <i>b</i><br>c', 'a <i>b</i><br>c'],
    ['takes em for i', '<em>a</em>', '<i>a</i>'],
    ['drops attributes', '<i class=x onclick=y>a</i><br clear=all>b', '<i>a</i><br>b'],
    ['unwraps everything else', '<b>a</b> <a href=/x>b</a> <span>c</span>', 'a b c'],
    ['makes blocks lines', '<p>a</p>\n<p>b</p><div>c</div><ul><li>d</li><li>e</li></ul>', 'a<br>b<br>c<br>d<br>e'],
    ['does not double a line break before a block', 'a<br><p>b</p>', 'a<br>b'],
    ['keeps line breaks that were written', 'a<br><br>b', 'a<br><br>b'],
    ['trims line breaks at the ends', '<br><i><br></i>a<br><p></p>', 'a'],
    [
      'drops scripts, styles, templates and comments',
      'a<script>b</script><style>c</style><template>d</template><!-- e -->',
      'a',
    ],
    ['drops pictures and frames', 'a<img src=x><iframe src=x>b</iframe>', 'a'],
    ['flattens nested italics', '<i>a<em>b</em>c</i>', '<i>abc</i>'],
    ['removes empty italics', 'a<i></i><i><b></b></i>', 'a'],
    ['escapes markup and keeps no-break spaces', '1 &lt; 2 &amp;&nbsp;"3"', '1 &lt; 2 &amp;\u00a0"3"'],
    ['takes plain text as it is', 'Fish & chips', 'Fish &amp; chips'],
    ['is empty when nothing is left', '<p><br></p>', ''],
  ] as const)
    test(rule, () => {
      assert.equal(cleanInline(from), to)
      assert.equal(cleanInline(to), to)
    })

  test('of more than a megabyte is refused', () => assert.equal(cleanInline('a'.repeat(1_048_577)), null))
})
