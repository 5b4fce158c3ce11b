/**
 * The most common passwords of six characters and more, in lower case (decision 32). From the Openwall Project's
 * password list (public domain), with later ones and this game's own obvious choices before it.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
123456 123456789 12345678 1234567 1234567890 12345678910 123123 123123123 111111 11111111 1111111111 000000 00000000
123321 654321 666666 888888 121212 112233 987654321 0987654321 159753 147258369 147258 741852963 789456123 789456
999999 777777 555555 222222 333333 696969 131313 101010 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwertyuiop
qwe123 qweqwe qweasd qweasdzxc qazwsx qazwsxedc 1qaz2wsx 1qazxsw2 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3r4 q1w2e3
zaq12wsx asdfgh asdfghjkl asdasd asd123 zxcvbn zxcvbnm zxcvbnm123 abc123 abcd1234 abcdef abcdefg a123456 a1b2c3
a1b2c3d4 aa123456 aaaaaa abc12345 password password1 password12 password123 password1234 password! passw0rd p@ssword
p@ssw0rd pass123 pass1234 passwort letmein letmein1 welcome welcome1 welcome123 iloveyou iloveyou1 iloveu admin1
admin12 admin123 admin1234 administrator changeme changeme123 default secret secret123 master monkey dragon football
baseball sunshine princess shadow superman batman trustno1 whatever starwars pokemon naruto minecraft fortnite
roblox killer hello1 hello123 hellohello test123 test1234 testing testtest guest123 login123 google facebook
linkedin samsung computer internet bitcoin dogecoin litecoin ethereum crypto crypto123 satoshi tothemoon jackpot
jackpot1 jackpot123 omnijackpot casino casino123 poker123 lucky7 lucky777 lucky123 winner winner1 winner123 gamer123
gaming gaming123 player1 player123 money123 million millionaire tigger carmen mickey summer service canada ranger
donald harley hockey maggie mustang snoopy buster jordan michael michelle patrick 123abc andrew calvin diamond
fuckme fuckyou matthew miller avalon brandy chelsea coffee falcon freedom gandalf helpme merlin newyork soccer
thomas wizard bandit butthead dorothy eeyore fishing george jennifer jonathan marina monday natasha ncc1701 pamela
pepper piglet poohbear pookie rabbit rachel rocket sparky spring steven success victoria zapata 8675309 amanda
august barney biteme boomer cowboy doctor fisher island joshua marley orange please rascal richard scooter shalom
silver skippy stanley taylor zephyr access albert alexander andrea anthony asdfjkl; ashley basketball beavis booboo
bradley brandon caitlin camaro charlie chicken cricket dakota dallas daniel debbie dolphin elephant friend fucker
ginger goodluck hammer heather iceman jessica joseph jupiter justin knight lacrosse lakers lizard madison mother
muffin murphy nirvana pentium phoenix picture rainbow saturn shannon shithead skeeter sophie special stephanie
stephen sweetie teacher tennis topgun tristan william wilson a12345 angela archie blazer bond007 booger charles
christin claire control david1 dennis digital disney edward flipper franklin horses hunter indigo jasper jeremy
julian kelsey lauren maryjane matrix maverick mayday mercury mitchell morgan mountain niners nothing oliver peanut
pearljam phantom popcorn psycho pumpkin purple rebecca reddog robert salmon samson sharon sierra smokey startrek
steelers stimpy sunflower support sydney techno walter willie willow alaska alexis animal apples barbara benjamin
bluebird bonnie camera chocolate claudia cocacola compton connect cookie cruise douglas dreamer dreams duckie eagles
einstein explorer family ferrari flamingo flower foxtrot francis freddy friday froggy giants global happy1 hendrix
herman houston iguana indiana insane inside ironman jasmin jeanne justice katherine kermit leslie martin minnie
nascar nelson pantera parker penguin prince punkin pyramid raymond rosebud route66 running security sheena sheila
skiing snapple snowball sparrow spencer stealth student sylvia tamara taurus teresa theresa thunderbird tigers
toyota travel tuesday victory viper1 wesley whisky winnie winter wolves xyz123 adidas adrian alfred arthur athena
austin awesome badger bamboo beagle beatles beautiful beaver bigmac blonde boogie boston brenda bright bubba1
bubbles button buttons cactus captain carlos caroline carrie casper catch22 chance charity charlotte cheese cheryl
chris1 clancy compaq conrad cooper cooter copper cosmos cougar cracker crawford crystal curtis cyclone diablo
dollars dookie dumbass dundee elizabeth europe farmer firebird fletcher fluffy france freak1 friends fuckoff gabriel
galaxy gambit garden garfield garnet genesis genius godzilla golfer goober greenday groovy grover guitar hacker
hector herbert horizon hornet howard icecream imagine impala janice jasmine jason1 jeanette jeffrey jenifer jesus1
jewels julie1 junior justin1 kathleen kelly1 kennedy kevin1 knicks larry1 leonard lestat library lincoln lionking
london louise lucky1 maddog margaret mariposa marlboro martin1 master1 mensuck mercedes midori millie mirage money1
monica monopoly mookie moroni nathan nguyen nicholas nicole nimrod october olivia online oxford pacific painter
peaches penelope petunia philip phoenix1 pickle player poiuyt porsche porter python quality raquel remember robbie
robert1 runner russell sailing sailor samantha savage scarlett school shadow1 shelby simple skipper smiley snickers
sniper snoopdog snowman spitfire sprite spunky station stella stingray stormy stupid sunny1 sunrise surfer teddy1
theboss theking thumper tintin tomcat trebor trevor tweety unicorn valentine valerie vanilla veronica victor vincent
warrior warriors weasel wheels wilbur winston wisdom wombat xavier yellow zeppelin abigail account alice1 allison
alpine andre1 andrea1 angel1 annette antares apache apollo aragorn arizona arnold arsenal asdfasdf asdfghjk avenger
babydoll bailey banana basket batman1 beaner beatrice bertha bigben bigdog biggles bigman biology bishop blondie
bluefish bobcat braves brazil brutus buffalo bulldog bullet bullshit business butler butter california carebear
carol1 carole cassie castle catalina catherine cccccc celine center champion chanel chelsea1 chester1 chicago
christian christy church cinder colleen colorado columbia commander connie cookies cooking corona cowboys coyote
creative cuddles cuervo daniel1 danielle davids design destiny dickhead digger dodger dougie dragonfly eclipse
electric emerald etoile excalibur express fender fireman florida flowers foster francesco francine francois french
fuckface gemini general gerald germany gilbert goaway golden goldfish gordon graham gregory gretchen gunner hannah
harold harrison harvey hawkeye heaven helena hithere hobbit ibanez idontknow integra ireland isabel jackass jackie
jackson jaguar jamaica jenny1 jessie johnny joker1 jordan23 judith jumanji kangaroo karen1 keepout keith1 kenneth
kimberly kingdom kitkat kramer kristen laurie lawrence lawyer legend liberty lindsay lindsey liverpool lonely lovely
loveme madonna malcolm malibu marathon marcel maria1 mariah mariah1 marilyn marvin maurice maxine maxwell meggie
melanie melissa melody mexico michael1 michele midnight miracle mishka molly1 monique montreal moocow morris mouse1
mulder nautica nellie newton nirvana1 nissan norman notebook olivier oranges oregon pandora panther passion patricia
peewee pencil people person peter1 picasso pierre pinkfloyd polaris police pookie1 predator preston queenie quentin
random rangers raptor reality redrum remote reynolds rhonda ricardo ricardo1 roadrunner robinhood rocknroll rocky1
ronald ruthie sabrina sakura sampson samuel sandra sapphire scarlet scorpio scott1 scottie scruffy seattle serena
shanti shogun singer skywalker slacker smashing smiles snowflake snuffy soccer1 soleil spanky speedy spider spooky
stacey star69 steven1 stinky strawberry stuart sundance superfly suzanne suzuki swimmer swimming system tarzan
teddybear theatre thunder thursday tinker tootsie tornado tricia trident trojan truman trumpet tucker turtle utopia
voyager warcraft warlock warren williams winona woofwoof wrangler wright xfiles xxxxxx yankees yvonne zenith zigzag
zombie zxc123 007007 171717 181818 1a2b3c 1chris 4runner 7777777 88888888 abcd123 accord active africa airborne
alfaro alicia aliens alison alpha1 althea altima amanda1 amazing america anderson andrew1 andromeda angels angie1
anything apple1 apple2 applepie aquarius ariane arlene artemis asdf1234 asdfjkl ashley1 ashraf ashton asterix attila
autumn avatar barbie barney1 barrett beaches beanie beauty belize belmont benson bernardo bigboss bigred billy1
birdie birthday biscuit bitter blackjack blanche blowjob blowme blueeyes bogart bombay boobie bootsie boxers brandi
brewster bridge bronco bronte brooke brother bubble buddha budgie burton butterfly calendar calvin1 camille campbell
camping cancer canela cannon carbon carnage carolyn carrot cascade catfish catwoman cecile celica change chantal
charger cherry chiara chiefs chris123 christ1 christmas christopher cindy1 cinema claude clueless cobain colette
college colors colt45 confused corvette country crusader cunningham cupcake cynthia dagger dammit dancer daphne
darkstar darren darryl darwin deborah december deedee deeznuts delano delete denise desert deskjet detroit devine
dexter dianne diesel director dodgers dollar dominique domino dontknow doogie doudou downtown dragon1 driver dudley
dutchess dwight eagle1 easter eastern edmund element elissa elliot empire enigma enterprise escort estelle eugene
evelyn explore family1 fatboy felipe ferguson ferret ferris fireball fishes fishie flight florida1 flowerpot forward
freddie freebird freeman frisco froggie froggies future garcia gaston gateway george1 georgia german germany1 getout
gibson giselle gmoney goblin goblue gollum grandma gremlin grizzly grumpy guitar1 gustavo haggis hailey halloween
hamilton hamlet hanson happy123 happyday hardcore harley1 harriet harris harvard health heather1 heather2 hedgehog
helene hermes heythere highland hillary history hitler hobbes holiday honda1 hongkong hootie hotrod hudson hummer
huskies iforget impact indonesia isabelle israel italia jackie1 james1 jamesbond jamjam jeffrey1 jennie jensen
jesse1 jester jethro jimbob joanna joelle john316 jordie journey jubilee julien juliet junebug juniper justdoit
karine katerina katie1 keeper keller kendall ketchup kissme kitten kittycat kkkkkk kristi kristine labtec laddie
ladybug laurel lawson leader leland lester letter letters lexus1 lights lionel little lolita lonestar longhorn
looney lovers loveyou lucifer lucky14 maddie madmax magic1 magnum maiden management manson manuel marcus marielle
marine marino marshall martha maxmax meatloaf medical melina memphis mermaid michel michigan mickey1 microsoft
mikael milano millenium miranda miriam mission mmmmmm mobile monkey1 monroe montana moomoo moonbeam morpheus
motorola movies mozart munchkin murray mustang1 nadine napoleon nation national nestle newlife newyork1 nichole
nikita nintendo nomore normal norton nugget number9 numbers nutmeg ohshit oicu812 openup orchid orlando packard
packers paloma pancake parola parrot partner pascal patches patriots pauline payton peanuts pedro1 perfect peterpan
philips phillips pierce pigeon pioneer piper1 pirate pisces playboy poetry pontiac pookey popeye prayer precious
prelude premier puddin pulsar pussy1 qwertyui rabbit1 rachelle racoon randy1 ravens redman redskins reggae reggie
renegade rescue revolution richard1 richards richmond ripper roberts rocket1 rockie rockon roger1 rogers roland
rommel rookie rootbeer ruthless sabbath sabina safety samiam sammie samsam sanjose saphire sarah1 saskia saturday
science scooby scoobydoo scooter1 scorpion scotty scouts search september server seven7 shaggy shanny shaolin shasta
shayne shelly sherry shirley shorty shotgun sidney simba1 sinatra sirius skipper1 skyler slayer sleepy slider smile1
smitty snakes snapper solomon sophia sparks spartan spike1 sponge squash stargate starlight steph1 steve1 stevens
stewart stranger stretch strong studio stumpy sucker suckme sultan summit sunfire sunset superstar surfing susan1
sutton sweden sweetpea sweety swordfish tabatha tacobell taiwan tamtam tanner target tattoo tequila terry1 thankyou
theend thompson thrasher tiger2 timber timothy tinkerbell topcat topher toshiba tototo travis treasure tricky triton
trombone trouble trucker tyler1 ultimate unique united ursula vacation valley vampire vanessa venice vermont victor1
vincent1 violet violin virgil virginia vision volley voodoo vortex waiting wanker warner water1 wayne1 webster
weezer wendy1 western whitney whocares wildcat william1 window winniethepooh wolfgang wolverine wonder xxxxxxxx
yamaha yankee yogibear yolanda yomama yvette zachary zebras 1234qwer 99999999 action amelie anaconda apollo13 artist
asshole benoit bernard bernie bigbird blizzard bluesky bonjour caesar cardinal carolina chandler chapman charlie1
chiquita chocolat cougars courtney dolphins dominic donkey eminem energy fearless forest forever guinness hotdog
indian johnson kristin lorraine maxime memory mirror nebraska nemesis network oatmeal patton planet players portland
praise psalms qwaszx raiders rambo1 rancid shelley softball speedo sports ssssss steele stephani sunday tiffany
toronto trixie undead valentin velvet viking walker watson babygirl pretty hottie spongebob daniela princesa christ
blessed single iloveyou2 fuckyou1 hahaha blessing blahblah blink182 123qwe trinity looking spirit iloveyou! onelove
mylove ilovegod football1 loving emmanuel red123 blabla spiderman simpsons monster november brooklyn poopoo darkness
pineapple chester drowssap monkey12 wordpass coolness 11235813 something alexandra estrella miguel iloveme sayang
princess1 alejandro brittany alejandra tequiero antonio 987654 fernando corazon cristina kisses myspace rebelde
babygurl alyssa mahalkita gabriela pictures hellokitty babygirl1 angelica mahalko mariana eduardo andres ronaldo
inuyasha adriana celtic angelo 456789 sebastian karina hotmail 0123456789 barcelona cameron slipknot cutiepie 50cent
bonita maganda babyboy natalie cuteako javier 123654 bowwow portugal volleyball january cristian bianca chrisbrown
panget benfica love123 lollipop camila harrypotter ihateyou christine lorena andreea charmed rafael brianna aaliyah
johncena lovelove gangsta hiphop mybaby sergio metallica myspace1 babyblue badboy fernanda westlife sasuke steaua
roberto slideshow santiago jayson 5201314 jerome gandako gatita babyko 246810 sweetheart chivas alberto valeria
nicole1 leonardo jayjay liliana sexygirl 232323 amores anthony1 bitch1 fatima miamor lalala 252525 skittles colombia
159357 manutd 123456a britney katrina christina pasaway tatiana cantik 0123456 teiubesc natalia francisco amorcito
angelito manchester mommy1 amigos marlon linkinpark 147852 444444 iverson andrei justine frankie pimpin fashion
bestfriend england hermosa 456123 102030 sporting hearts potter iloveu2 number1 212121 truelove jayden savannah
hottie1 scotland ilovehim shakira estrellita brandon1 sweets familia love12 omarion monkeys loverboy elijah ronnie
mamita 999999999 broken rodrigo westside mauricio amigas preciosa shopping flores isabella martinez elaine
friendster cheche gracie connor valentina darling santos joanne fuckyou2 pebbles sunshine1 gangster gloria darkangel
bettyboop jessica1 cheyenne dustin iubire purple1 bestfriends inlove batista chacha marian sexyme pogiako jordan1
010203 daddy1 daddysgirl billabong skater nenita tigger1 gatito lokita maldita buttercup bambam glitter 123789
sister zacefron tokiohotel loveya lovebug bubblegum marissa cecilia lollypop nicolas puppies ariana chubby sexybitch
roxana mememe susana baller hotstuff carter babylove angelina playgirl sweet16 012345 bhebhe marcos loveme1 milagros
lilmama beyonce lovely1 catdog armando margarita 151515 202020 gerard undertaker amistad capricorn delfin
cheerleader password2 lizzie matthew1 enrique badgirl 141414 dancing cuteme amelia skyline angeles janine carlitos
justme legolas michelle1 cinderella jesuschrist ilovejesus tazmania tekiero thebest princesita jesucristo buddy1
regina myself lipgloss jazmin rosita chichi pangit mierda hernandez arturo silvia melvin celeste pussycat gorgeous
honeyko mylife babyboo lupita panthers hollywood alfredo musica hawaii sparkle kristina sexymama scarface 098765
hayden micheal 242424 marisol jeremiah isaiah lolipop butterfly1 xbox360 madalina anamaria yourmom jasmine1 bubbles1
beatriz diamonds friendship sweetness desiree 741852 hannah1 bananas julius leanne marie1 lover1 twinkle february
bebita 87654321 twilight imissyou pollito ashlee cookie1 147852369 beckham simone nursing torres damian joshua1
babyface dinamo juliana cassandra redsox gundam molson newpass thx1138 foobar ncc1701d newuser kingfish telecom
absolut babylon5 backup bird33 deliver galileo gopher hansolo passwd porsche911 sergei training alexandr catalog
challenge clipper coltrane cyrano deutsch dilbert e-mail export fountain gabriell garlic goforit grateful ledzep
mailman mantra market mazda1 metallic ncc1701e nesbitt republic research xanadu zaphod 10sne1 3bears broadway abacab
acropolis anders avenir blowfish bridges cannondale catnip content cordelia crack1 daisie database deadhead denali
depeche dickens emmitt entropy farout farside feedback firenze fletch fozzie gargoyle gasman graphic intern intrepid
jkl123 johanna1 kidder lambda logical lorrie mariner merlot midway mmouse mortimer nermal overkill pacers packer
picard primus prometheus public rastafarian reptile robotech salasana scarecrow scuba1 sergey skibum starter sting1
sunbird teflon temporal terminal thejudge valhalla windsurf xcountry 1kitty 57chevy 7dwarfs animals bismillah esther
hershey jersey madeline sterling aardvark abbott adrock aerobics airwolf allegro allstate altamira altima1 andrew!
anneli aptiva asdf;lkj assmunch baraka barnyard bartman beasty beavis1 belgium beowulf bharat bichon bimmer biochem
blinds bluejean boulder bourbon branch britain broker buffett c00per calgary cement cessna chainsaw chameleon
chinook chouette chronos cicero circuit cirque cirrus clapton clarkson claudel concept concorde coolbean cornflake
corwin crescent crowley cthulhu current cutlass daedalus dagger1 daytek decker dharma dillweed dipper doitnow engage
ernie1 escort1 faculty fairview fenris finance fishhead flanders fleurs flyboy franka frederic front242 frontier
fugazi funtime gaelic gambler gammaphi garfunkel gateway2 gator1 gibbons gilgamesh godiva goethe gofish gramps
gravis gretzky h2opolo hawkeye1 health1 hello8 help123 helper homerj hoosier hydrogen ib6ub9 insight instructor
integral iomega jeepster jetta1 joanie julia2 justice4 kalamazoo kerala kleenex kombat laserjet lassie1 leblanc
logger loislane longer macross madoka makeitso mallard mattingly mechanic meister mercer merrill michal michou
mickel mobydick montana3 montrose mowgli mulder1 muscle neutrino newaccount nicklaus nightshade nightwing nopass
nouveau novell oaxaca obiwan obsession orville packrat paradigm peterk phialpha phishy piano1 pianoman pianos
pipeline poetic printing provider qqq111 quebec racerx rafiki raleigh rasta1 redcloud redfish redwing redwood reznor
ripple robocop robotics rossignol rugger safety1 saigon satori saturn5 schnapps scotch secret3 seeker services
shanghai shazam shelter sigmachi signal signature simsim skydive smegma smiths smurfy sober1 sonics sphynx sprocket
starbuck stephi stocks storage strato student2 susanna swanson switzer system5 t-bone tarheel tazdevil tester
thisisit thorne tightend toucan transfer transit transport trapper trophy tucson turbo2 upsilon vedder vikram virago
visual volcano walden walleye webmaster whale1 whoville wibble wombat1 x-files xxx123 zepplin zoltan zoomer 21122112
windows booster byteme changeit christia christoph classroom cloclo corrado fiction french1 gilles gocougs hilbert
macintosh mailer ne1469 politics property scrooge skidoo sylvie symbol rotimi netware champs hal9000 herzog
jethrotull nicarao snowski 1qw23e bastard celtics darkman figaro fortune geronimo mellon paladin vernon waterloo
aki123 aylmer chinacat courier dogbert elina1 funguy ggeorge glider1 heikki histoire if6was9 ingvar juhani midvale
nesbit nexus6 notta1 reliant thelorax good-luck homebrew m1911a1 ne1410s ne14a69 zhongguo sample123 informix
majordomo raistlin gretel michel1 noriko sidekick sverige swoosh woodrow ayelet betacam hallowell hosehead ilmari
irmeli j1l2t3 kerrya kissa2 lissabon matti1 morecats paagal performa stivers tapani targas newcourt notused
`.split(/\s+/),
);
