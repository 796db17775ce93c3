# What follows is the same in every plan.

die() { echo "plan: $*" >&2; exit 1; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

tidy() {  # system, mount point; removes what an interrupted run leaves there
    rm -rf "$2/fsviz.tmp" "$2/fsviz-tree" "$2/fsviz-bonnie"
}

look_at() {  # system, mount point
    [ -d "$2" ] || die "$2: expected the folder where $1 is mounted, found none"
    [ -w "$2" ] || die "$2: expected a folder to write to, found none"
    tidy "$1" "$2"
    free=$(df -Pk "$2" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$space_kib" ] ||
        die "$2: expected $((space_kib / 1024)) MiB of space, found $((free / 1024))"
    findmnt --fstab "$2" >/dev/null 2>&1 || fixed=$2
}

record() {  # system, mount point
    if [ -e "$results/facts/$1.toml" ]; then
        found=$(grep '^planned_ram' "$results/facts/$1.toml" || true)
        [ "$found" = "$trial" ] || die "$results: expected results of this plan" \
            "(${trial:-no trial}), found those of another one (${found:-no trial});" \
            "give it a folder of its own"
        return
    fi
    mkdir -p "$results/facts"
    {
        ! command -v "$fsviz" >/dev/null || "$fsviz" facts "$2"
        echo "$trial"
    } > "$results/.facts.toml"
    mv "$results/.facts.toml" "$results/facts/$1.toml"
}

flush() {  # mount point
    sync -f "$1" 2>/dev/null || sync
}

fresh() {  # mount point; leaves nothing of it in memory, where that is possible
    if [ -n "$cold" ]; then
        as_root umount "$1" 2>/dev/null || true
        as_root mount "$1"
    else
        flush "$1"
        (echo 3 > /proc/sys/vm/drop_caches) 2>/dev/null || true
    fi
}

make_tree() {  # the files that are copied, the same in every run
    [ -d "$tree" ] && return
    rm -rf "$tree.part"
    mkdir -p "$tree.part"
    head -c "$((tree_files * 32768))" /dev/urandom | split -a 4 -b 32k - "$tree.part/"
    mv "$tree.part" "$tree"
}

measure() {  # tool, its function, system, mount point, round
    step=$((step + 1))
    what="$step of $total: $1 on $3, round $5"
    folder=$results/$1/$3
    if ls "$folder/rep$5".* >/dev/null 2>&1; then
        echo "$what: is there" >&2
        return
    fi
    echo "$what" >&2
    rm -rf "$part"
    mkdir -p "$part" "$folder"
    fresh "$4"
    "$2" "$4"
    for file in "$part"/*; do mv "$file" "$folder/rep$5.${file##*/}"; done
}

run_iozone() {  # in the folder of the results, so that no path of it is recorded
    if [ -n "$cold" ]; then
        # shellcheck disable=SC2086  # several options in one variable
        (cd "$part" && as_root iozone -Race -z -i 0 -i 1 -i 2 $iozone_sizes \
            -U "$1" -f "$1/fsviz.tmp" -b xls > txt)
    else
        # shellcheck disable=SC2086
        (cd "$part" && iozone -Race -z -i 0 -i 1 -i 2 $iozone_sizes \
            -f "$1/fsviz.tmp" -b xls > txt)
    fi
}

run_bonnie() {
    mkdir "$1/fsviz-bonnie"
    bonnie++ -q -f -d "$1/fsviz-bonnie" -s "$((2 * ram_mib))m" -r "${ram_mib}m" \
        -n "$bonnie_files" -u "$(id -u):$(id -g)" > "$part/csv" 2> "$part/.log" || {
        cat "$part/.log" >&2
        exit 1
    }
    rm -rf "$1/fsviz-bonnie"
}

run_rsync() {
    rm -rf "$1/fsviz-tree"
    bash -c 'time { rsync -a --stats "$1/" "$2/fsviz-tree/" && sync -f "$2"; }' \
        plan "$tree" "$1" > "$part/stats.txt" 2> "$part/time.txt"
    rm -rf "$1/fsviz-tree"
}

run_hyperfine() {
    rm -rf "$1/fsviz-tree"
    # the same words for every system: where it is, and where from, is not in them
    (cd "$1" && FSVIZ_TREE=$tree hyperfine --runs 1 --export-json "$part/json" \
        'cp -R "$FSVIZ_TREE" fsviz-tree && sync -f .' >/dev/null)
    rm -rf "$1/fsviz-tree"
}

run_fio() {
    fio --directory="$1" --filename=fsviz.tmp --ioengine=psync --size="$fio_size" \
        --refill_buffers --end_fsync=1 --stonewall \
        --output-format=json --output="$part/json" \
        --name=write --rw=write --bs=1m --name=read --rw=read --bs=1m \
        --name=randwrite --rw=randwrite --bs=64k \
        --name=randread --rw=randread --bs=64k
    rm -f "$1/fsviz.tmp"
}

LC_ALL=C
export LC_ALL
for tool in $tools; do
    command -v "$tool" >/dev/null || die "$tool: not found"
    if [ "$tool" = rsync ]; then command -v bash >/dev/null || die "bash: not found"; fi
done
echo "This reads and writes $moved in all: $how_long at $speed, if it is as fast." >&2
mkdir -p "$results"
results=$(cd "$results" && pwd)
part=$results/.part tree=$results/.tree step=0 fixed='' cold=-U
each look_at
trap 'each tidy' EXIT
trap 'exit 130' INT HUP
if [ -n "$fixed" ]; then
    cold=
    echo "$fixed is not in /etc/fstab, so nothing is remounted: files below the memory" >&2
    echo "are read from it." >&2
elif [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "expected root or sudo, to remount"
fi
if [ ! -e "$results/campaign.toml" ]; then
    describe > "$results/.campaign.toml"
    mv "$results/.campaign.toml" "$results/campaign.toml"
fi
each record
case $tools in *rsync* | *hyperfine*) make_tree ;; esac
