/** Elements that start a new line. */
export const BLOCK_TAGS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option optgroup p pre search section summary table tbody td textarea tfoot th thead tr ul'.split(
    ' ',
  ),
)
