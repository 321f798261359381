import { stemOf } from './words.ts'

/**
 * Synonyms, one group per line. The question "cab" finds a Tool that mentions "taxi", at a lower weight than the word itself.
 * General English only: the synonyms of a trade belong in the descriptions of its Tools.
 */
const groups = `
get fetch retrieve obtain read
find search look lookup locate query discover
create add make new insert generate build
delete remove erase drop clear
update edit modify change set alter
list show display view
send post submit
calculate compute determine evaluate work
buy purchase order
book reserve schedule reservation booking
cancel abort revoke
movie film cinema
song track music tune
play listen hear playback
car vehicle auto automobile
taxi cab ride
price cost fee charge rate
weather forecast temperature
person individual people user human
picture image photo
shop store supermarket grocery
meeting event appointment session calendar
start begin launch run execute
stop end kill terminate halt
money currency cash dollar euro
convert exchange translate transform
message text sms
mail email
trip travel journey itinerary
flight plane airline
hotel accommodation lodging room
home house property estate
job career employment work
doctor physician
food meal dish
recipe cook cooking
biggest largest highest greatest maximum max most
smallest lowest minimum min least
average mean
near nearest nearby close closest
remind reminder remember todo
task todo
file document
folder directory
team club
match game
repository repo
company business firm
stock share
number amount quantity count
size dimension
distance far
speed velocity
fast quick rapid
explain describe description
information info detail data
id identifier
factor divisor
tournament league championship
win winner victory
news article headline
law legal lawsuit court
draw painting art
website site page url web internet online
purchase transaction payment pay
bill invoice
check verify validate
error bug issue problem
`

/** Maps each stem to the stems of its synonyms. */
export const relatedStems: ReadonlyMap<string, readonly string[]> = relate()

function relate(): Map<string, string[]> {
  const related = new Map<string, Set<string>>()
  for (const line of groups.trim().split('\n')) {
    const stems = [...new Set(line.split(' ').map(stemOf))]
    for (const stem of stems) {
      const others = related.get(stem) ?? new Set()
      for (const other of stems) if (other !== stem) others.add(other)
      related.set(stem, others)
    }
  }
  return new Map(Array.from(related, ([stem, others]) => [stem, [...others]]))
}
